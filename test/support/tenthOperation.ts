/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

/** The one file that a new operation is: CONTRIBUTING.md, "Adding an operation". */
const operationFile = `
import { updateDisplayOptions } from 'n8n-workflow';

import type { Endpoint } from '../../endpoint';
import { extraFields } from '../../descriptions/extraFields';
import { optionsFor } from '../../descriptions/options';
import { text } from '../../descriptions/parameters';
import type { Operation } from '../../descriptions/menu';
import { route } from '../../n8n/route';

const showOnlyForThis = { show: { resource: ['language'], operation: ['summarize'] } };

const endpoint: Endpoint = {
	path: '/ai/summary',
	scope: 'summary',
	body: 'json',
	answer: 'json',
};

export const summarize: Operation = {
	resource: 'language',
	option: {
		name: 'Make Shorter',
		value: 'summarize',
		action: 'Summarize text',
		description: 'Make a text short',
		routing: route(endpoint),
	},
	fields: updateDisplayOptions(showOnlyForThis, [text, extraFields, optionsFor(endpoint)]),
};
`;

/**
 * The package with a made-up operation, added from outside: one file and one line.
 *
 * @param others files and folders of the repository to have beside the source
 * @returns the folder; to be deleted by the caller
 */
export function withTenthOperation(...others: string[]): string {
	mkdirSync(path.join(ROOT, 'reports'), { recursive: true });
	// Inside of the repository, so that n8n-workflow is found.
	const copy = mkdtempSync(path.join(ROOT, 'reports/tenth-'));
	for (const name of ['nodes', 'credentials', ...others]) {
		cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
	}
	const resources = path.join(copy, 'nodes/VoiceSpeech/resources');
	writeFileSync(path.join(resources, 'language/summarize.ts'), operationFile);
	appendFileSync(
		path.join(resources, 'index.ts'),
		"export { summarize } from './language/summarize';\n",
	);
	return copy;
}
