/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { Readable } from 'node:stream';

import type { AudioSource } from '../../nodes/VoiceSpeech/audio/reader';
import type { Item, PreparedRequest } from '../../nodes/VoiceSpeech/execution/item';
import { ConcurrencyLimiter } from '../../nodes/VoiceSpeech/execution/limiter';
import { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import type { ResultCache } from '../../nodes/VoiceSpeech/execution/resultCache';
import { RateLimitBackoff } from '../../nodes/VoiceSpeech/execution/retry';

interface TrySetup {
	stopsOnFailure?: boolean;
	cancel?: AbortSignal;
	/** Of the node run's tries, if n8n runs the node again. */
	results?: ResultCache;
}

/** A try of a node run. */
export function newTry({ stopsOnFailure = true, cancel, results }: TrySetup = {}): NodeRunTry {
	const limiter = new ConcurrencyLimiter(1);
	const run = { limiter, backoff: new RateLimitBackoff(), results, sent: new Map() };
	return new NodeRunTry(run, stopsOnFailure, cancel);
}

/** A response as n8n's client returns it. */
export function response(
	statusCode: number,
	headers: object = {},
	body = Readable.from([Buffer.from('{"a":1}')]),
) {
	return { statusCode, headers, body } as unknown as IN8nHttpFullResponse;
}

type Send = Item['send'];

/** An item without n8n; `send` is what n8n's client does. */
export function itemWith(change: Partial<Item> & { send: Send }): Item {
	const endpoint = { path: '/ai/sentiment', body: 'chosen', returns: 'any' };
	const item = { index: 3, timeout: 0, endpoint, routedFields: {}, read: () => 'any', ...change };
	return item as unknown as Item;
}

interface CallSetup {
	options?: object;
	/** Opens the audio of the call; otherwise, it sends a text. */
	open?: AudioSource['open'];
}

/** A call of item 3, for which n8n's client does these things, one after the other. */
export function callWith(
	steps: Array<(...sent: Parameters<Send>) => IN8nHttpFullResponse | ReturnType<Send>>,
	{ options, open }: CallSetup = {},
) {
	const send = jest.fn<ReturnType<Send>, Parameters<Send>>(
		async (...sent) => await steps.shift()!(...sent),
	);
	const request = {
		options: {
			...{ answerTimeoutSeconds: 0, rateLimitRetries: 2, maxRetryWaitSeconds: 9 },
			fileFieldName: 'file',
			...options,
		},
		access: { environment: 'sandbox', apiKey: 'eak_test_abcdefgh', baseUrl: 'https://a.example' },
		payload: open
			? { kind: 'multipart', audio: { identity: [], open }, isFromUrl: false, fields: [] }
			: { kind: 'json', text: '{"text":"a"}' },
		output: { fileName: 'a', fieldName: 'data', about: {} },
	} as unknown as PreparedRequest;
	return { item: itemWith({ send }), request, send };
}

/** Audio of this many bytes that ends with an error, if one is given. */
export function audioOf(bytes: number, fault?: Error, close = () => {}): AudioSource['open'] {
	async function* chunks() {
		yield Buffer.alloc(bytes, 'RIFF');
		if (fault) throw fault;
	}
	const declared = { name: 'call.wav', mimeType: 'audio/wav' };
	return async () => ({ size: undefined, declared, chunks: chunks(), close });
}

/** Reads the file of a request, as n8n's client does. */
export async function readFile(body: unknown): Promise<void> {
	const file = (body as FormData).get('file') as File;
	for await (const piece of file.stream() as unknown as AsyncIterable<Uint8Array>) {
		expect(piece.length).toBeGreaterThan(0);
	}
}

/** Rejects once the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_resolve, reject) =>
		signal.addEventListener('abort', () => reject(new Error('aborted'))),
	);
}

/** Lets everything that waits go on. */
export const settle = async () =>
	// eslint-disable-next-line @n8n/community-nodes/no-restricted-globals -- never in n8n
	await new Promise<void>((resolve) => setImmediate(resolve));
