/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { declarativeNode } from '../support/engine';
import { useNode } from '../support/node';
import { json } from '../support/recorder';
import { withTenthOperation } from '../support/tenthOperation';

describe('a tenth operation, made of one file and one line', () => {
	const copy = withTenthOperation();
	afterAll(() => rmSync(copy, { recursive: true, force: true }));

	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const { VoiceSpeech } = require(path.join(copy, 'nodes/VoiceSpeech/VoiceSpeech.node.ts')) as {
		VoiceSpeech: new () => INodeType;
	};
	const nodeType = declarativeNode(new VoiceSpeech());
	const { properties } = nodeType.description;
	const node = useNode();
	const summarize = { resource: 'language', operation: 'summarize', text: 'A long story' };

	it('stands in the menu of its resource, in its place', () => {
		const menu = properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes('language'),
		);
		const names = (menu?.options as INodeProperties[]).map(({ name }) => name);
		expect(names).toContain('Make Shorter');
		expect(names).toEqual([...names].sort());
	});

	it('has its fields, and those of the other operations are where they were', () => {
		const texts = properties.filter(({ name }) => name === 'text');
		expect(texts).toHaveLength(1);
		expect(texts[0]?.displayOptions?.show?.operation).toEqual(
			expect.arrayContaining(['textToSpeech', 'recognizeIntent', 'summarize']),
		);
	});

	it('is named under the node', () => {
		expect(nodeType.description.subtitle).toContain('"summarize":"Make Shorter"');
	});

	it('sends its text to its path, and gives what is answered', async () => {
		node.service.reset(json({ summary: 'A story' }));
		const { request, items } = await node.runOnce(summarize, { nodeType });
		expect(`${request.method} ${request.url}`).toBe('POST /ai/summary');
		expect(JSON.parse(request.body.toString())).toEqual({ text: 'A long story' });
		expect(items).toMatchObject([{ json: { summary: 'A story' }, pairedItem: { item: 0 } }]);
	});

	it('is not sent without its text', async () => {
		const { message } = await node.runUnsent({ ...summarize, text: "={{ '' }}" }, { nodeType });
		expect(message).toContain("'Text' is empty");
	});

	it('has errors that say what to do: the scope that its key needs', async () => {
		node.service.reset((_request, response) => {
			response.writeHead(403, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify({ error: { message: 'Scope missing' } }));
		});
		const { error } = await node.run(summarize, { nodeType });
		expect(error?.message).toContain('Scope missing');
		expect(error?.description).toContain("'summary'");
	});
});
