/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep, type IN8nHttpFullResponse } from 'n8n-workflow';
import { Readable } from 'node:stream';

import type { AudioSource } from '../../nodes/VoiceSpeech/audio/reader';
import { networkError } from '../../nodes/VoiceSpeech/errors/networkError';
import type { Item, PreparedRequest } from '../../nodes/VoiceSpeech/execution/item';
import { sendWithRetries } from '../../nodes/VoiceSpeech/execution/send';
import { mp3 } from '../support/recordings';
import { newTry } from './newTry';

type Send = Item['send'];

function response(
	statusCode: number,
	headers: object = {},
	body = Readable.from([Buffer.from('{"a":1}')]),
) {
	return { statusCode, headers, body } as unknown as IN8nHttpFullResponse;
}

/** A call of item 3, for which n8n's client does these things, one after the other. */
function callWith(steps: Array<() => IN8nHttpFullResponse | Promise<never>>, options: object = {}) {
	const send = jest.fn<ReturnType<Send>, Parameters<Send>>(async () => await steps.shift()!());
	const endpoint = { path: '/ai/sentiment', body: 'chosen', returns: 'any' };
	const item = { index: 3, timeout: 0, endpoint, read: () => 'any', send } as unknown as Item;
	const request = {
		options: {
			answerTimeoutSeconds: 0,
			rateLimitRetries: 2,
			maxRetryWaitSeconds: 9,
			fileFieldName: 'file',
			...options,
		},
		access: { environment: 'sandbox', apiKey: 'eak_test_abcdefgh', baseUrl: 'https://a.example' },
		payload: { kind: 'json', text: '{"text":"a"}' },
		output: { fileName: 'a', fieldName: 'data', about: {} },
	} as unknown as PreparedRequest;
	return { item, request, send };
}

const fails = (neverLeft: boolean) => async () =>
	await Promise.reject(
		networkError({ code: 'ECONNRESET', message: 'reset', syscall: '', neverLeft }),
	);

it('returns the result of a success, with its options', async () => {
	const { item, request, send } = callWith([() => response(201)]);
	const runTry = newTry();
	const success = await sendWithRetries(item, request, runTry);
	expect(success).toEqual({ result: { json: { a: 1 } }, options: request.options });
	const [[, body, signal]] = send.mock.calls as [Parameters<Send>];
	expect(String(body)).toBe('{"text":"a"}');
	expect(signal.aborted).toBe(true);
	expect([runTry.ended.aborted, runTry.run.sent.size]).toEqual([false, 0]);
});

it('repeats a call that was refused before any work, after the wait, and holds back the others', async () => {
	const wait = { 'retry-after': '0.2' };
	const { item, request, send } = callWith([() => response(429, wait), () => response(200)]);
	const other = callWith([() => response(200)]);
	const runTry = newTry();
	const begun = Date.now();
	const first = sendWithRetries(item, request, runTry);
	await sleep(20);
	expect(runTry.run.backoff.inEffect).toBe(true);
	await sendWithRetries(other.item, other.request, runTry);
	expect(Date.now() - begun).toBeGreaterThanOrEqual(195);
	expect(await first).toMatchObject({ result: { json: { a: 1 } } });
	expect(send).toHaveBeenCalledTimes(2);
	expect([...runTry.run.sent]).toEqual([[3, false]]);
});

it('repeats it only as often as allowed, then fails', async () => {
	const refusal = () => response(429, { 'retry-after': '0' });
	const { item, request, send } = callWith([refusal, refusal, refusal]);
	await expect(sendWithRetries(item, request, newTry())).rejects.toMatchObject({ status: 429 });
	expect(send).toHaveBeenCalledTimes(3);
});

it('is not repeated after the run has ended', async () => {
	const { item, request, send } = callWith([() => response(429, { 'retry-after': '9' })]);
	const runTry = newTry();
	const sending = sendWithRetries(item, request, runTry);
	await sleep(20);
	runTry.end();
	expect(await sending).toBeUndefined();
	expect(send).toHaveBeenCalledTimes(1);
});

it.each<[number, stopsOnFailure: boolean, endsRun: boolean, mayBeDebited: boolean]>([
	[402, false, true, false],
	[401, false, true, false],
	[422, true, true, false],
	[422, false, false, false],
	[500, false, false, true],
	[302, false, false, true],
])('status %i, stops on failure: %s', async (status, stopsOnFailure, endsRun, mayBeDebited) => {
	const { item, request } = callWith([() => response(status)]);
	const runTry = newTry({ stopsOnFailure });
	await expect(sendWithRetries(item, request, runTry)).rejects.toMatchObject({ status });
	expect([runTry.ended.aborted, runTry.failure?.item]).toEqual([
		endsRun,
		endsRun ? item : undefined,
	]);
	expect([...runTry.run.sent]).toEqual([[3, mayBeDebited]]);
});

it('ends the run before the body of the refusal has arrived', async () => {
	const body = new Readable({ read() {} });
	const { item, request } = callWith([() => response(402, {}, body)]);
	const runTry = newTry();
	const sending = sendWithRetries(item, request, runTry);
	await sleep(20);
	expect(runTry.ended.aborted).toBe(true);
	body.push('{"message":"Empty."}');
	body.push(null);
	await expect(sending).rejects.toThrow(/\(402\): Empty/);
	await expect(runTry.failure?.error).resolves.toThrow(/Empty/);
});

it.each<[string, neverLeft: boolean, sent: Array<[number, boolean]>]>([
	['that never left is not recorded as sent', true, []],
	['that may have left may have been debited', false, [[3, true]]],
])('a request %s', async (_what, neverLeft, sent) => {
	const { item, request } = callWith([fails(neverLeft)]);
	const runTry = newTry();
	await expect(sendWithRetries(item, request, runTry)).rejects.toThrow();
	expect([...runTry.run.sent]).toEqual(sent);
});

it('a response that breaks off may have been debited', async () => {
	async function* broken() {
		yield Buffer.from('{"a":');
		throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
	}
	const { item, request } = callWith([() => response(200, {}, Readable.from(broken()))]);
	const runTry = newTry();
	await expect(sendWithRetries(item, request, runTry)).rejects.toMatchObject({
		message: 'The connection broke before the response was complete',
		debit: 'possible',
	});
	expect([...runTry.run.sent]).toEqual([[3, true]]);
});

describe('a call without a response', () => {
	function callWithoutResponse(timeout: number) {
		const call = callWith([], { answerTimeoutSeconds: 0.2 });
		call.send.mockImplementation(
			async (_request, _body, signal) =>
				await new Promise((_resolve, reject) =>
					signal.addEventListener('abort', () => reject(new Error('aborted'))),
				),
		);
		return { ...call, item: { ...call.item, timeout } };
	}

	it('is stopped by the Answer Timeout', async () => {
		const { item, request } = callWithoutResponse(0);
		const runTry = newTry();
		await expect(sendWithRetries(item, request, runTry)).rejects.toMatchObject({
			message: 'The service did not respond within 0.2 seconds after the upload',
		});
		expect([...runTry.run.sent]).toEqual([[3, true]]);
	});

	it("is not stopped by it where n8n's own Timeout is set, but by a cancellation", async () => {
		const { item, request } = callWithoutResponse(60_000);
		const cancel = new AbortController();
		const runTry = newTry({ cancel: cancel.signal });
		const sending = sendWithRetries(item, request, runTry);
		expect(await Promise.race([sending.catch(() => 'failed'), sleep(400)])).toBeUndefined();
		cancel.abort();
		await expect(sending).rejects.toThrow('The execution was canceled');
		expect([...runTry.run.sent]).toEqual([[3, true]]);
	});
});

it('audio that cannot be read to its end is the reason, not the aborted upload', async () => {
	async function* chunks() {
		yield Buffer.from('RIFF');
	}
	const declared = { name: 'call.wav', mimeType: 'audio/wav' };
	const close = jest.fn();
	const open = async () => ({ size: undefined, declared, chunks: chunks(), close });
	const broken = async () => {
		const audio = await open();
		async function* failing() {
			yield Buffer.alloc(5000, 'RIFF');
			throw new Error('disk gone');
		}
		return { ...audio, chunks: failing() };
	};
	for (const [source, message] of [
		[open, 'The call failed on the network'],
		[broken, 'The audio could not be read to its end'],
	] as const) {
		const { item, request, send } = callWith([]);
		const audio = { identity: [], open: source };
		const payload = { kind: 'multipart' as const, audio, isFromUrl: false, fields: [] };
		send.mockImplementation(async (_request, body) => {
			const file = (body as FormData).get('file') as File;
			for await (const piece of file.stream() as unknown as AsyncIterable<Uint8Array>) {
				expect(piece.length).toBeGreaterThan(0);
			}
			throw networkError({ code: '', message: 'x', syscall: '', neverLeft: false });
		});
		const runTry = newTry();
		const sending = sendWithRetries(item, { ...request, payload }, runTry);
		await expect(sending).rejects.toMatchObject({ message, debit: 'possible' });
		expect([...runTry.run.sent]).toEqual([[3, true]]);
		expect(close).toHaveBeenCalled();
		close.mockClear();
	}
});

it.each([
	['a result that n8n cannot store was debited', mp3(10), { debit: 'certain' }],
	[
		'a page instead of a result is the error',
		Buffer.from('<html>Sorry</html>'),
		{ message: 'The service returned HTML instead of audio' },
	],
])('%s, even if the audio could not be read to its end', async (_what, result, expected) => {
	async function* failing() {
		yield Buffer.alloc(5000, 'RIFF');
		throw new Error('disk gone');
	}
	const declared = { name: 'call.wav', mimeType: 'audio/wav' };
	const open = async () => ({ size: undefined, declared, chunks: failing(), close() {} });
	const audio = { identity: [], open };
	const payload = { kind: 'multipart' as const, audio, isFromUrl: false, fields: [] };
	const { item, request, send } = callWith([]);
	send.mockImplementation(async (_request, body) => {
		const file = (body as FormData).get('file') as File;
		const pieces = file.stream() as unknown as AsyncIterable<Uint8Array>;
		await expect(
			(async () => {
				for await (const piece of pieces) void piece;
			})(),
		).rejects.toThrow();
		return response(200, { 'content-type': 'audio/mpeg' }, Readable.from([result]));
	});
	const store = async () => await Promise.reject(new Error('disk full'));
	const sending = sendWithRetries({ ...item, store }, { ...request, payload }, newTry());
	await expect(sending).rejects.toMatchObject(expected);
});

describe('audio that cannot be opened', () => {
	const withAudio = (request: PreparedRequest, open: AudioSource['open']): PreparedRequest => {
		const audio = { identity: [], open };
		return { ...request, payload: { kind: 'multipart', audio, isFromUrl: false, fields: [] } };
	};

	it('fails the item, of which nothing was sent', async () => {
		const { item, request, send } = callWith([]);
		const runTry = newTry();
		const missing = withAudio(request, async () => await Promise.reject(new Error('gone')));
		await expect(sendWithRetries(item, missing, runTry)).rejects.toThrow('could not be read');
		expect([send.mock.calls.length, runTry.run.sent.size]).toEqual([0, 0]);
	});

	it('is not a failure if the run has ended, which closes it', async () => {
		const { item, request } = callWith([]);
		const runTry = newTry();
		const slow = withAudio(
			request,
			async (signal) =>
				await new Promise((_resolve, reject) =>
					signal.addEventListener('abort', () => reject(new Error('aborted'))),
				),
		);
		const sending = sendWithRetries(item, slow, runTry);
		await sleep(20);
		runTry.end();
		expect(await sending).toBeUndefined();
	});
});

it('a canceled request that never left is not recorded as sent', async () => {
	const cancel = new AbortController();
	const { item, request, send } = callWith([]);
	send.mockImplementation(async () => {
		cancel.abort();
		return await fails(true)();
	});
	const runTry = newTry({ cancel: cancel.signal });
	const sending = sendWithRetries(item, request, runTry);
	await expect(sending).rejects.toThrow('The execution was canceled');
	expect(runTry.run.sent.size).toBe(0);
});

it('closes a response of which it needs no more', async () => {
	const body = new Readable({ read() {} });
	const { item, request } = callWith([
		() => response(429, { 'retry-after': '0' }, body),
		() => response(200),
	]);
	const sending = sendWithRetries(item, request, newTry());
	body.push(Buffer.alloc(5000, 'a'));
	await sending;
	await sleep(20);
	expect(body.destroyed).toBe(true);
});
