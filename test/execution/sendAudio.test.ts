/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep, type IN8nHttpFullResponse } from 'n8n-workflow';
import { Readable } from 'node:stream';

import type { Item, PreparedRequest } from '../../nodes/VoiceSpeech/execution/item';
import { ConcurrencyLimiter } from '../../nodes/VoiceSpeech/execution/limiter';
import { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import { RateLimitBackoff } from '../../nodes/VoiceSpeech/execution/retry';
import { sendWithRetries } from '../../nodes/VoiceSpeech/execution/send';

function newTry(): NodeRunTry {
	const limiter = new ConcurrencyLimiter(1);
	const run = { limiter, backoff: new RateLimitBackoff(), results: undefined, sent: new Map() };
	return new NodeRunTry(run, true, undefined);
}

function response(statusCode: number, headers: object = {}) {
	const body = Readable.from([Buffer.from('{"a":1}')]);
	return { statusCode, headers, body } as unknown as IN8nHttpFullResponse;
}

describe('a call with audio', () => {
	type Chunks = () => AsyncGenerator<Buffer>;

	/** A call whose audio has these chunks. n8n's client reads them, then has these responses, one after the other. */
	function callWithAudio(chunks: Chunks, responses: IN8nHttpFullResponse[], options: object = {}) {
		const open = jest.fn(async () => ({
			size: undefined,
			declared: { name: 'call.wav', mimeType: 'audio/wav' },
			chunks: chunks(),
			close() {},
		}));
		const request = {
			options: {
				...{ answerTimeoutSeconds: 0, rateLimitRetries: 2, maxRetryWaitSeconds: 9 },
				fileFieldName: 'file',
				...options,
			},
			access: { environment: 'sandbox', apiKey: 'eak_test_a', baseUrl: 'https://a.example' },
			payload: { kind: 'multipart', audio: { identity: [], open }, isFromUrl: false, fields: [] },
			output: { fileName: 'a', fieldName: 'data', about: {} },
		} as unknown as PreparedRequest;
		const send: Item['send'] = async (_request, body) => {
			const file = (body as FormData).get('file') as File;
			const read = async () => {
				for await (const piece of file.stream() as unknown as AsyncIterable<unknown>) void piece;
			};
			await read().catch(() => {});
			return responses.shift()!;
		};
		const endpoint = { path: '/ai/sentiment', body: 'chosen', returns: 'any' };
		const item = { index: 3, timeout: 0, endpoint, read: () => 'any', send } as unknown as Item;
		return { item, request, open };
	}

	it('has an Answer Timeout that begins at the end of its upload', async () => {
		async function* slow() {
			yield Buffer.alloc(5000, 'RIFF');
			await sleep(400);
			yield Buffer.from('end');
		}
		const options = { answerTimeoutSeconds: 0.2 };
		const { item, request } = callWithAudio(slow, [response(200)], options);
		expect(await sendWithRetries(item, request, newTry())).toMatchObject({ result: {} });
	});

	async function* short() {
		yield Buffer.from('RIFF');
	}

	it('has all its retries left after it has waited for another call', async () => {
		const responses = [response(429, { 'retry-after': '0' }), response(200)];
		const { item, request, open } = callWithAudio(short, responses, { rateLimitRetries: 1 });
		const runTry = newTry();
		const opened = open.getMockImplementation()!;
		open.mockImplementationOnce(async () => {
			runTry.run.backoff.begin(0.05);
			return await opened();
		});
		expect(await sendWithRetries(item, request, runTry)).toMatchObject({ result: {} });
		expect(open).toHaveBeenCalledTimes(3);
	});

	it('fails with the refusal, even if its audio could not be read to its end', async () => {
		async function* broken() {
			yield Buffer.alloc(5000, 'RIFF');
			throw new Error('disk gone');
		}
		const { item, request } = callWithAudio(broken, [response(402)]);
		await expect(sendWithRetries(item, request, newTry())).rejects.toMatchObject({ status: 402 });
	});
});
