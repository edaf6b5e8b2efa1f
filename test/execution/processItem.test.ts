/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep, type IN8nHttpFullResponse } from 'n8n-workflow';
import { Readable } from 'node:stream';

import { RateLimitBackoff } from '../../nodes/VoiceSpeech/execution/backoff';
import { Batch } from '../../nodes/VoiceSpeech/execution/batch';
import type { Item } from '../../nodes/VoiceSpeech/execution/item';
import { ConcurrencyLimiter } from '../../nodes/VoiceSpeech/execution/limiter';
import { processItem, RequestPreparation } from '../../nodes/VoiceSpeech/execution/processItem';

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
	const batch = new Batch(true, undefined);
	const limiter = new ConcurrencyLimiter(1);
	const backoff = new RateLimitBackoff();
	const started: number[] = [];
	const itemAt = (index: number): Item => ({
		index,
		endpoint: { path: '/ai/sentiment', body: 'chosen', answer: 'any' },
		routedFields: {},
		timeout: undefined,
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
	const items = checkedAfter.map(async (_, index) => {
		const services = {
			batch,
			limiter,
			backoff,
			results: undefined,
			sent: new Map<number, boolean>(),
		};
		return await processItem(new RequestPreparation(itemAt(index)), services);
	});
	batch.closeGroup();
	const outcomes = await Promise.all(items);
	expect(outcomes.map(({ kind }) => kind)).toEqual(checkedAfter.map(() => 'sent'));
	expect(started).toEqual(checkedAfter.map((_, index) => index));
});
