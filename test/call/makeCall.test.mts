import { Readable } from 'node:stream';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { Admission } from '../../nodes/VoiceSpeech/call/admission.ts';
import { createFailure } from '../../nodes/VoiceSpeech/call/itemFailure.ts';
import type { DebitStatus } from '../../nodes/VoiceSpeech/service/debit.ts';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech.ts';
import { useClock } from '../support/clock.mts';
import { createMp3 } from '../support/media/recordings.mts';
import {
	stubKey,
	createAdmission,
	createSendError,
	createResponse,
	makeCallAndReadError,
	otherStubKey,
	prepareCall,
	type Send,
} from '../support/stubItem.mts';
import {
	createDeferred,
	isSettled,
	waitForever,
	rejectWhenAborted,
	settleAll,
} from '../support/waiting.mts';

/** A service that responds in this way. */
const respondWith =
	(...received: Parameters<typeof createResponse>): Send =>
	async () =>
		createResponse(...received);

it('returns the response of a call that succeeds, and blocks no other call', async () => {
	const { item, request, sent } = await prepareCall(respondWith(201));
	const admission = createAdmission();
	const outcome = await makeCallAndReadError(item, request, admission);
	expect(outcome).toEqual({
		kind: 'succeeded',
		output: { json: { a: 1 }, sampleWarnings: [] },
		debit: 'debited',
	});
	const body = { kind: 'json', text: '{"text":"Hello"}' };
	expect(sent).toEqual([[request, body, expect.any(AbortSignal)]]);
	expect(sent[0]?.[0]).toBe(request);
	expect(sent[0]?.[2].aborted).toBe(true);
	expect(admission.findBlock(stubKey)).toBeUndefined();
});

it('returns the status and headers of the response with Include Response Headers', async () => {
	const { item, request } = await prepareCall(respondWith(201, { 'x-credits': '5' }), {
		options: { includeResponseHeaders: true },
	});
	expect(await makeCallAndReadError(item, request, createAdmission())).toEqual({
		kind: 'succeeded',
		output: {
			json: { a: 1 },
			sampleWarnings: [],
			responseInfo: { status: 201, headers: { 'x-credits': '5' } },
		},
		debit: 'debited',
	});
});

describe('the start of a call', () => {
	const failure = createFailure(1, new Error('refused'));

	it.each<{ what: string; act(admission: Admission): void; kind: string }>([
		{
			what: 'after the run failed',
			act: (admission) => admission.reportFailure(failure),
			kind: 'runFailed',
		},
		{
			what: 'after its key was refused',
			act: (admission) => admission.reportRefusedKey(stubKey, failure),
			kind: 'keyRefused',
		},
		{ what: 'during a back-off', act: (admission) => admission.backoff.begin(60), kind: 'backoff' },
	])('is blocked $what', async ({ act, kind }) => {
		const admission = createAdmission({ stopsOnFailure: kind === 'runFailed' });
		act(admission);
		const { item, request, sent } = await prepareCall(respondWith(200));
		expect(await makeCallAndReadError(item, request, admission)).toMatchObject({
			kind: 'blocked',
			block: { kind },
		});
		expect(sent).toEqual([]);
	});

	it('is blocked after the execution was canceled', async () => {
		const admission = createAdmission({ cancelSignal: AbortSignal.abort() });
		const { item, request, sent } = await prepareCall(respondWith(200));
		expect(await makeCallAndReadError(item, request, admission)).toEqual({
			kind: 'blocked',
			block: { kind: 'canceled' },
		});
		expect(sent).toEqual([]);
	});

	it('is not blocked after another key was refused', async () => {
		const admission = createAdmission({ stopsOnFailure: false });
		admission.reportRefusedKey(otherStubKey, failure);
		const { item, request } = await prepareCall(respondWith(200));
		expect(await makeCallAndReadError(item, request, admission)).toMatchObject({
			kind: 'succeeded',
		});
	});
});

describe('a call that was refused before any work', () => {
	it('begins a back-off for all calls, and closes the response unread', async () => {
		const body = new Readable({ read() {} });
		body.push(Buffer.alloc(5000, 'a'));
		const { item, request } = await prepareCall(respondWith(429, { 'retry-after': '60' }, body));
		const admission = createAdmission();
		expect(await makeCallAndReadError(item, request, admission)).toEqual({
			kind: 'retryLater',
			debit: 'refused',
		});
		expect(admission.backoff.isInEffect).toBe(true);
		expect(admission.runFailure).toBeUndefined();
		expect(admission.findBlock(otherStubKey)).toEqual({ kind: 'backoff' });
		expect(body.destroyed).toBe(true);
	});

	it.each([
		{ what: 'has been retried as often as allowed', headers: {}, retries: 2 },
		{
			what: 'must wait longer than Max Retry Wait (Seconds)',
			headers: { 'retry-after': '10' },
			retries: 0,
		},
	])('fails if it $what', async ({ headers, retries }) => {
		const options = { rateLimitRetries: 2, maxRetryWaitSeconds: 9 };
		const { item, request } = await prepareCall(respondWith(429, headers), { options });
		const admission = createAdmission();
		const outcome = await makeCallAndReadError(item, request, admission, retries);
		expect(outcome).toMatchObject({ kind: 'failed', error: { status: 429 }, debit: 'refused' });
		expect(admission.backoff.isInEffect).toBe(false);
	});
});

describe('a response that is not a success', () => {
	it.each<{
		status: number;
		debit: DebitStatus;
		block: 'keyRefused' | undefined;
		blocked: string;
	}>([
		{ status: 302, debit: 'possible', block: undefined, blocked: 'no other call' },
		{ status: 401, debit: 'refused', block: 'keyRefused', blocked: 'calls with the same key' },
		{ status: 402, debit: 'refused', block: 'keyRefused', blocked: 'calls with the same key' },
		{ status: 403, debit: 'refused', block: undefined, blocked: 'no other call' },
		{ status: 404, debit: 'refused', block: undefined, blocked: 'no other call' },
		{ status: 422, debit: 'refused', block: undefined, blocked: 'no other call' },
		{ status: 500, debit: 'possible', block: undefined, blocked: 'no other call' },
		{ status: 503, debit: 'possible', block: undefined, blocked: 'no other call' },
	])(
		'gives a call with the status $status the debit status $debit, and blocks $blocked',
		async (row) => {
			const { status, debit, block } = row;
			const { item, request } = await prepareCall(respondWith(status));
			const continuing = createAdmission({ stopsOnFailure: false });
			expect(await makeCallAndReadError(item, request, continuing)).toMatchObject({
				kind: 'failed',
				error: { status, debit },
				debit,
			});
			expect(continuing.findBlock(stubKey)?.kind).toBe(block);
			expect(continuing.findBlock(otherStubKey)).toBeUndefined();

			const again = await prepareCall(respondWith(status));
			const stopping = createAdmission();
			await makeCallAndReadError(again.item, again.request, stopping);
			expect(stopping.runFailure).toMatchObject({
				index: 3,
				request: { credential: { apiKey: stubKey } },
			});
			expect(stopping.findBlock(otherStubKey)?.kind).toBe('runFailed');
		},
	);

	it('blocks other calls before the body of a refusal has arrived, and then gives them its words', async () => {
		const body = new Readable({ read() {} });
		const { item, request } = await prepareCall(respondWith(402, {}, body));
		const admission = createAdmission();
		const calling = makeCallAndReadError(item, request, admission);
		await waitUntil(() => admission.runFailure !== undefined);
		expect(admission.findBlock(otherStubKey)?.kind).toBe('runFailed');
		expect(admission.createStopSignal(otherStubKey).aborted).toBe(true);
		body.push('{"message":"Empty."}');
		body.push(null);
		const outcome = await calling;
		if (outcome.kind !== 'failed') throw new Error(`The call is ${outcome.kind}`);
		expect(outcome.error.message).toMatch(/\(402\): Empty/);
		expect(await admission.runFailure?.errorPromise).toBe(outcome.error);
	});

	it('fails the call even if its body breaks off', async () => {
		async function* readAndFail() {
			yield Buffer.from('{"message":');
			throw new Error('aborted');
		}
		const { item, request } = await prepareCall(respondWith(422, {}, Readable.from(readAndFail())));
		const outcome = await makeCallAndReadError(item, request, createAdmission());
		expect(outcome).toMatchObject({ kind: 'failed', error: { status: 422 }, debit: 'refused' });
	});

	it('names the voice and the address for which something was not found', async () => {
		const { item, request } = await prepareCall(respondWith(404));
		const { endpoint } = textToSpeech;
		const withVoice = { ...request, endpoint, voiceId: 'vc_1' };
		const outcome = await makeCallAndReadError(item, withVoice, createAdmission());
		expect(outcome).toMatchObject({
			error: { description: expect.stringContaining("'Voice ID', which is 'vc_1'") },
		});
		expect(outcome).toMatchObject({
			error: { description: expect.stringContaining('https://a.example/ai/text-to-speech') },
		});
	});
});

describe('a call without a complete response', () => {
	it.each([
		{ fact: 'provably never left', isUnconnected: true, debit: 'notSent' },
		{ fact: 'may have left', isUnconnected: false, debit: 'possible' },
	])('has the debit status $debit if the request $fact', async (row) => {
		const send = async () => await Promise.reject(createSendError(row));
		const { item, request } = await prepareCall(send);
		const outcome = await makeCallAndReadError(item, request, createAdmission());
		expect(outcome).toMatchObject({ kind: 'failed', debit: row.debit });
	});

	it('is reported as a failure of its item', async () => {
		const error = createSendError({ isUnconnected: false });
		const { item, request } = await prepareCall(async () => await Promise.reject(error));
		const admission = createAdmission();
		await makeCallAndReadError(item, request, admission);
		expect(admission.runFailure).toMatchObject({
			index: 3,
			request: { credential: { apiKey: stubKey } },
		});
		expect(await admission.runFailure?.errorPromise).toBe(error);
	});

	it('is reported as possibly debited if the response breaks off', async () => {
		async function* readAndFail() {
			yield Buffer.from('{"a":');
			throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
		}
		const { item, request } = await prepareCall(respondWith(200, {}, Readable.from(readAndFail())));
		expect(await makeCallAndReadError(item, request, createAdmission())).toMatchObject({
			kind: 'failed',
			error: { message: 'The connection broke before the response was complete' },
			debit: 'possible',
		});
	});

	it('is reported as possibly debited after a response of another kind', async () => {
		const page = Readable.from([Buffer.from('<html>Sorry</html>')]);
		const headers = { 'content-type': 'text/html' };
		const { item, request } = await prepareCall(respondWith(200, headers, page));
		const forAudio = { ...request, endpoint: textToSpeech.endpoint };
		const outcome = await makeCallAndReadError(item, forAudio, createAdmission());
		const quote =
			"The response starts with 'Sorry'. The Content-Type of the response is 'text/html'.";
		expect(outcome).toMatchObject({
			error: {
				message: 'The service returned HTML instead of audio',
				quote,
			},
			debit: 'possible',
		});
	});

	it('is reported as not sent if it is canceled before the request left', async () => {
		const cancel = new AbortController();
		const { item, request } = await prepareCall(async () => {
			cancel.abort();
			return await Promise.reject(createSendError({ isUnconnected: true }));
		});
		const admission = createAdmission({ cancelSignal: cancel.signal });
		expect(await makeCallAndReadError(item, request, admission)).toMatchObject({
			kind: 'failed',
			error: { message: 'The execution was canceled' },
			debit: 'notSent',
		});
	});

	it('is not stopped by the failure of another call, because it may be debited', async () => {
		const response = createDeferred<Awaited<ReturnType<Send>>>();
		const { item, request, sent } = await prepareCall(async () => await response.promise);
		const admission = createAdmission();
		const calling = makeCallAndReadError(item, request, admission);
		await waitUntil(() => sent.length === 1);
		admission.reportRefusedKey(stubKey, createFailure(1, new Error('refused')));
		await settleAll();
		expect(sent[0]?.[2].aborted).toBe(false);
		response.resolve(createResponse(200));
		expect(await calling).toMatchObject({ kind: 'succeeded' });
	});
});

describe('a call that waits for its response', () => {
	const clock = useClock();

	const waitForAbort: Send = async (_request, _body, signal) => await rejectWhenAborted(signal);

	it('is stopped after the Response Timeout', async () => {
		const { item, request } = await prepareCall(waitForAbort, {
			options: { responseTimeoutSeconds: 0.2 },
		});
		const calling = makeCallAndReadError(item, request, createAdmission());
		await clock.advance(199);
		expect(await isSettled(calling)).toBe(false);
		await clock.advance(1);
		expect(await calling).toMatchObject({
			kind: 'failed',
			error: { message: 'The service did not respond within 0.2 seconds after the upload' },
			debit: 'possible',
		});
	});

	it("is stopped after n8n's own Timeout if it is set, and not by the Response Timeout", async () => {
		const { item, request } = await prepareCall(waitForAbort, {
			options: { responseTimeoutSeconds: 0.2 },
			requestOptions: { timeout: 60_000 },
		});
		const calling = makeCallAndReadError(item, request, createAdmission());
		await clock.advance(59_999);
		expect(await isSettled(calling)).toBe(false);
		await clock.advance(1);
		expect(await calling).toMatchObject({
			kind: 'failed',
			error: { message: "The service did not respond within the 'Timeout' of the request options" },
			debit: 'possible',
		});
	});

	it('is stopped only if it is canceled, if the Response Timeout is 0', async () => {
		const { item, request } = await prepareCall(waitForAbort, {
			options: { responseTimeoutSeconds: 0 },
		});
		const cancel = new AbortController();
		const admission = createAdmission({ cancelSignal: cancel.signal });
		const calling = makeCallAndReadError(item, request, admission);
		await clock.advance(3_600_000);
		expect(await isSettled(calling)).toBe(false);
		cancel.abort();
		expect(await calling).toMatchObject({
			kind: 'failed',
			error: { message: 'The execution was canceled' },
			debit: 'possible',
		});
	});

	it('knows how long a proxy in front of the service waited', async () => {
		const response = createDeferred<Awaited<ReturnType<Send>>>();
		const { item, request } = await prepareCall(async () => await response.promise);
		const calling = makeCallAndReadError(item, request, createAdmission());
		await clock.advance(60_400);
		response.resolve(createResponse(504));
		expect(await calling).toMatchObject({
			error: {
				message: 'A proxy in front of the service stopped waiting after 60 seconds (504): {"a":1}',
			},
			debit: 'possible',
		});
	});
});

describe("n8n's storage", () => {
	const returnsAudio = respondWith(
		200,
		{ 'content-type': 'audio/mpeg' },
		Readable.from([createMp3(10)]),
	);

	it('fails the call with its error, and reports it as debited', async () => {
		const store = async () => await Promise.reject(new Error('disk full'));
		const { item, request } = await prepareCall(returnsAudio, { store });
		expect(await makeCallAndReadError(item, request, createAdmission())).toMatchObject({
			kind: 'failed',
			error: { message: 'The service returned the file, but n8n could not store it' },
			debit: 'debited',
		});
	});

	it('is not waited for after a cancellation', async () => {
		const body = Readable.from([createMp3(10)]);
		const storing = createDeferred();
		const store = async () => {
			storing.resolve();
			return await waitForever();
		};
		const { item, request } = await prepareCall(
			respondWith(200, { 'content-type': 'audio/mpeg' }, body),
			{ store },
		);
		const cancel = new AbortController();
		const calling = makeCallAndReadError(
			item,
			request,
			createAdmission({ cancelSignal: cancel.signal }),
		);
		await storing.promise;
		cancel.abort();
		expect(await calling).toMatchObject({
			kind: 'failed',
			error: { message: 'The execution was canceled' },
			debit: 'possible',
		});
		await waitUntil(() => body.destroyed);
	});
});
