/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { Readable } from 'node:stream';

import { networkError } from '../../nodes/VoiceSpeech/errors/networkError';
import type { Item, PreparedRequest } from '../../nodes/VoiceSpeech/execution/item';
import type { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import { admit, sendWithRetries } from '../../nodes/VoiceSpeech/execution/send';
import { callWith, itemWith, newTry, response, untilAborted } from './call';

const fails = (neverLeft: boolean) => async () =>
	await Promise.reject(
		networkError({ code: 'ECONNRESET', message: 'reset', syscall: '', neverLeft }),
	);

describe('the admission of a call is', () => {
	function admission(runTry: NodeRunTry, allowed: string) {
		const request = { access: { environment: 'live' } } as PreparedRequest;
		return admit(itemWith({ send: fails(true), read: () => allowed }), request, runTry);
	}

	it.each<[string, act: (runTry: NodeRunTry) => void, expected: string]>([
		['given where nothing speaks against it', () => {}, 'admitted'],
		['refused after the end of the try', (runTry) => runTry.end(), 'tryEnded'],
		['delayed by a back-off', (runTry) => runTry.run.backoff.begin(60), 'backoff'],
	])('%s', (_what, act, expected) => {
		const runTry = newTry();
		act(runTry);
		expect(admission(runTry, 'live')).toBe(expected);
	});

	it('refused to a live key where sandbox keys are allowed', () => {
		expect(() => admission(newTry(), 'sandbox')).toThrow('allows sandbox keys only');
	});
});

it('returns the result of a success, with its options', async () => {
	const { item, request, send } = callWith([() => response(201)]);
	const runTry = newTry();
	const success = await sendWithRetries(item, request, runTry);
	expect(success).toEqual({ result: { json: { a: 1 } }, options: request.options });
	const [[, body, signal]] = send.mock.calls as [Parameters<Item['send']>];
	expect(String(body)).toBe('{"text":"a"}');
	expect(signal.aborted).toBe(true);
	expect(runTry.ended.aborted).toBe(false);
	expect([...runTry.run.sent]).toEqual([[3, true]]);
});

describe('a call that was refused before any work', () => {
	it('is repeated after the wait, which holds back the others', async () => {
		const wait = { 'retry-after': '0.2' };
		const { item, request, send } = callWith([() => response(429, wait), () => response(200)]);
		const other = callWith([() => response(200)]);
		const runTry = newTry();
		const begun = Date.now();
		const first = sendWithRetries(item, request, runTry);
		await sleep(20);
		expect(runTry.run.backoff.inEffect).toBe(true);
		expect([...runTry.run.sent]).toEqual([[3, false]]);
		await sendWithRetries(other.item, other.request, runTry);
		expect(Date.now() - begun).toBeGreaterThanOrEqual(195);
		expect(await first).toMatchObject({ result: { json: { a: 1 } } });
		expect(send).toHaveBeenCalledTimes(2);
	});

	it('is repeated only as often as allowed, then fails', async () => {
		const refusal = () => response(429, { 'retry-after': '0' });
		const { item, request, send } = callWith([refusal, refusal, refusal]);
		await expect(sendWithRetries(item, request, newTry())).rejects.toMatchObject({ status: 429 });
		expect(send).toHaveBeenCalledTimes(3);
	});

	it('is not repeated after the try has ended', async () => {
		const { item, request, send } = callWith([() => response(429, { 'retry-after': '9' })]);
		const runTry = newTry();
		const sending = sendWithRetries(item, request, runTry);
		await sleep(20);
		runTry.end();
		expect(await sending).toBeUndefined();
		expect(send).toHaveBeenCalledTimes(1);
	});

	it('closes the response, which it does not read', async () => {
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
});

describe('a failure', () => {
	it.each<[number, stopsOnFailure: boolean, endsRun: boolean, mayBeDebited: boolean]>([
		[402, false, true, false],
		[401, false, true, false],
		[422, true, true, false],
		[422, false, false, false],
		[403, false, false, false],
		[404, false, false, false],
		[500, false, false, true],
		[302, false, false, true],
	])('status %i, stops on failure: %s', async (status, stopsOnFailure, endsRun, mayBeDebited) => {
		const { item, request } = callWith([() => response(status)]);
		const runTry = newTry({ stopsOnFailure });
		await expect(sendWithRetries(item, request, runTry)).rejects.toMatchObject({ status });
		expect(runTry.ended.aborted).toBe(endsRun);
		expect(runTry.failure?.item).toBe(endsRun ? item : undefined);
		expect([...runTry.run.sent]).toEqual([[3, mayBeDebited]]);
	});

	it('ends the try before the body of the refusal has arrived', async () => {
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
	])('of a request %s', async (_what, neverLeft, sent) => {
		const { item, request } = callWith([fails(neverLeft)]);
		const runTry = newTry();
		await expect(sendWithRetries(item, request, runTry)).rejects.toThrow();
		expect([...runTry.run.sent]).toEqual(sent);
	});

	it('of a response that breaks off may have been debited', async () => {
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
});

describe('a call without a response', () => {
	const callWithoutResponse = (timeout: number) => {
		const waits = async (...[, , signal]: Parameters<Item['send']>) => await untilAborted(signal);
		const { item, request } = callWith([waits], { options: { answerTimeoutSeconds: 0.2 } });
		return { item: { ...item, timeout }, request };
	};

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

	it('that is canceled before the request left is not recorded as sent', async () => {
		const cancel = new AbortController();
		const { item, request } = callWith([
			async () => {
				cancel.abort();
				return await fails(true)();
			},
		]);
		const runTry = newTry({ cancel: cancel.signal });
		const sending = sendWithRetries(item, request, runTry);
		await expect(sending).rejects.toThrow('The execution was canceled');
		expect(runTry.run.sent.size).toBe(0);
	});
});
