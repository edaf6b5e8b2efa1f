/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep, type IN8nHttpFullResponse } from 'n8n-workflow';
import { Readable } from 'node:stream';

import type { Item } from '../../nodes/VoiceSpeech/execution/item';
import { processItem } from '../../nodes/VoiceSpeech/execution/processItem';
import { newTry } from './newTry';

const parameters: Record<string, unknown> = {
	allowedEnvironment: 'any',
	inputType: 'text',
	text: 'Hello',
};

const credential = { apiKey: 'eak_test_a', environment: 'sandbox', baseUrl: 'https://a.example' };

it.each([
	['the last item is checked last', [5, 4, 3, 2, 1, 6]],
	['the first item is checked last', [6, 1, 2, 3, 4, 5]],
])('starts the calls in the order of the items where %s', async (_when, checkedAfter) => {
	const runTry = newTry();
	const started: number[] = [];
	const itemAt = (index: number): Item => ({
		index,
		endpoint: { path: '/ai/sentiment', body: 'chosen', returns: 'any' },
		routedFields: {},
		timeout: 0,
		apiKey: undefined,
		read: (name, fallback) => parameters[name] ?? fallback,
		readCredential: async () => {
			await sleep((checkedAfter[index] ?? 0) * 10);
			return credential;
		},
		findFile: () => ({ identity: [], open: async () => await Promise.reject(new Error('No.')) }),
		fetchAudio: async () => await Promise.reject(new Error('No.')),
		send: async () => {
			started.push(index);
			const body = Readable.from([Buffer.from('{}')]);
			return { statusCode: 200, headers: {}, body } as unknown as IN8nHttpFullResponse;
		},
		store: async () => await Promise.reject(new Error('No.')),
	});
	const items = checkedAfter.map(async (_, index) => await processItem(itemAt(index), runTry));
	runTry.closeGroup();
	const outcomes = await Promise.all(items);
	expect(outcomes.map(({ kind }) => kind)).toEqual(checkedAfter.map(() => 'succeeded'));
	expect(started).toEqual(checkedAfter.map((_, index) => index));
});
