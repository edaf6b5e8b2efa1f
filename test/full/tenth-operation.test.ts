/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import fs from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { ROOT, run } from '../package/repository';
import { declarativeNode } from '../support/engine';
import { useNode } from '../support/node';
import { json } from '../support/scriptedServer';

/** The one file that a new operation is: CONTRIBUTING.md, "Adding an operation". */
const operationFile = `
import { text } from '../../descriptions/fields';
import type { Operation } from '../../descriptions/operation';

/** A summary of a text. */
export const summarize: Operation = {
	resource: 'language',
	operation: 'summarize',
	name: 'Make Shorter',
	action: 'Make text shorter',
	description: 'Make a text short',
	endpoint: { path: '/ai/summary', scope: 'summary', body: 'json', returns: 'json' },
	fields: [text],
};
`;

/** A copy of the package with a made-up operation: one file and one line. */
function withTenthOperation(): string {
	fs.mkdirSync(path.join(ROOT, 'reports'), { recursive: true });
	// Inside of the repository, so that n8n-workflow is found.
	const copy = fs.mkdtempSync(path.join(ROOT, 'reports/tenth-'));
	const source = ['nodes', 'credentials', 'icons', 'dev', 'docs', 'README.md'];
	for (const name of [...source, 'package.json', 'tsconfig.json', 'gulpfile.js']) {
		fs.cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
	}
	const resources = path.join(copy, 'nodes/VoiceSpeech/resources');
	fs.mkdirSync(path.join(resources, 'language'));
	fs.writeFileSync(path.join(resources, 'language/summarize.ts'), operationFile);
	fs.appendFileSync(
		path.join(resources, 'index.ts'),
		"export { summarize } from './language/summarize';\n",
	);
	return copy;
}

describe('a tenth operation, made of one file and one line', () => {
	const copy = withTenthOperation();
	afterAll(() => fs.rmSync(copy, { recursive: true, force: true }));

	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const { VoiceSpeech } = require(path.join(copy, 'nodes/VoiceSpeech/VoiceSpeech.node.ts')) as {
		VoiceSpeech: new () => INodeType;
	};
	const nodeType = declarativeNode(new VoiceSpeech());
	const { properties } = nodeType.description;
	const node = useNode();
	const summarize = { resource: 'language', operation: 'summarize', text: 'A long story' };

	it('a tenth operation is in the menu of its resource, in its position, and in the subtitle', () => {
		const menus = properties.filter(({ name }) => name === 'operation');
		const names = menus.map(({ options }) =>
			(options as INodeProperties[]).map(({ name }) => name),
		);
		const menu = names.find((all) => all.includes('Make Shorter'))!;
		expect(menu).toContain('Recognize Intent');
		// Documented operations come first.
		expect(menu[0]).toBe('Make Shorter');
		expect(nodeType.description.subtitle).toContain('"summarize":"Make Shorter"');
	});

	it('a tenth operation sends its text to its path, and outputs the response', async () => {
		node.service.answer = json({ summary: 'A story' });
		const { request, items } = await node.runOnce(summarize, { nodeType });
		expect(`${request.method} ${request.url}`).toBe('POST /ai/summary');
		expect(JSON.parse(request.body.toString())).toEqual({ text: 'A long story' });
		expect(items).toMatchObject([{ json: { summary: 'A story' }, pairedItem: { item: 0 } }]);
	});

	it('a tenth operation names the scope that its key needs in its errors', async () => {
		node.service.answer = json({ error: { message: 'Scope missing' } }, 403);
		const { error } = await node.run(summarize, { nodeType });
		expect(error?.message).toContain('Scope missing');
		expect(error?.description).toContain("'summary'");
	});

	it('a tenth operation is in the table of operations', () => {
		run('npm', ['run', '--silent', 'build'], copy);
		run(process.execPath, ['--import', 'tsx', 'dev/scripts/docs.mts'], copy);
		// "not documented", because docs/openapi.yaml does not have its path.
		expect(fs.readFileSync(path.join(copy, 'docs/operations/README.md'), 'utf8')).toMatch(
			/\| Language +\| \[Make Shorter\]\(undocumented\.md\) +\| `\/ai\/summary` +\| not documented +\|/,
		);
	}, 120_000);
});
