/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { EventEmitter, getEventListeners } from 'node:events';
import { Readable } from 'node:stream';

import type { Endpoint } from '../../nodes/VoiceSpeech/endpoint';
import { networkError } from '../../nodes/VoiceSpeech/errors/networkError';
import { sendWithRetries } from '../../nodes/VoiceSpeech/execution/send';
import { mp3 } from '../support/recordings';
import { audioOf, callWith, newTry, readFile, response, settle, untilAborted } from './call';

describe('audio', () => {
	it.each([
		['that is complete: the network is the reason', undefined, 'The call failed on the network'],
		[
			'that cannot be read to its end is the reason, not the aborted upload',
			new Error('disk gone'),
			'The audio could not be read to its end',
		],
	])('%s', async (_what, fault, message) => {
		const close = jest.fn();
		const { item, request } = callWith(
			[
				async (_request, body) => {
					await readFile(body);
					throw networkError({ code: '', message: 'x', syscall: '', neverLeft: false });
				},
			],
			{ open: audioOf(5000, fault, close) },
		);
		const runTry = newTry();
		const sending = sendWithRetries(item, request, runTry);
		await expect(sending).rejects.toMatchObject({ message, debit: 'possible' });
		expect([...runTry.run.sent]).toEqual([[3, true]]);
		expect(close).toHaveBeenCalled();
	});

	it.each([
		['a result that n8n cannot store was debited', 200, mp3(10), { debit: 'certain' }],
		[
			'a page instead of a result is the error',
			200,
			Buffer.from('<html>Sorry</html>'),
			{ message: 'The service returned HTML instead of audio' },
		],
		['a refusal is the error', 402, Buffer.from('{}'), { status: 402 }],
	])('that cannot be read to its end hides nothing: %s', async (...row) => {
		const [, status, body, expected] = row;
		const { item, request } = callWith(
			[
				async (_request, sent) => {
					await expect(readFile(sent)).rejects.toThrow();
					return response(status, { 'content-type': 'audio/mpeg' }, Readable.from([body]));
				},
			],
			{ open: audioOf(5000, new Error('disk gone')) },
		);
		const store = async () => await Promise.reject(new Error('disk full'));
		const endpoint: Endpoint = { ...item.endpoint, returns: 'audio' };
		const sending = sendWithRetries({ ...item, endpoint, store }, request, newTry());
		await expect(sending).rejects.toMatchObject(expected);
	});

	it('has all its retries left after it has waited for another call', async () => {
		const runTry = newTry();
		const open = jest.fn(audioOf(4)).mockImplementationOnce(async (signal) => {
			runTry.run.backoff.begin(0.05);
			return await audioOf(4)(signal);
		});
		const { item, request } = callWith(
			[() => response(429, { 'retry-after': '0' }), () => response(200)],
			{ open, options: { rateLimitRetries: 1 } },
		);
		expect(await sendWithRetries(item, request, runTry)).toMatchObject({ result: {} });
		expect(open).toHaveBeenCalledTimes(3);
	});

	it('that cannot be opened fails the item, and nothing is sent', async () => {
		const open = async () => await Promise.reject(new Error('gone'));
		const { item, request, send } = callWith([], { open });
		const runTry = newTry();
		await expect(sendWithRetries(item, request, runTry)).rejects.toThrow('could not be read');
		expect([send.mock.calls.length, runTry.run.sent.size]).toEqual([0, 0]);
	});

	it('that opens when the try ends is closed, which is not a failure', async () => {
		const { item, request } = callWith([], { open: untilAborted });
		const runTry = newTry();
		const sending = sendWithRetries(item, request, runTry);
		await settle();
		runTry.end();
		expect(await sending).toBeUndefined();
	});

	it('is not sent if it opens after the try has ended, even if its source cannot be aborted', async () => {
		let finishOpening = () => {};
		const opening = new Promise<void>((resolve) => (finishOpening = resolve));
		const { item, request, send } = callWith([], {
			open: async (signal) => {
				await opening;
				return await audioOf(4)(signal);
			},
		});
		const runTry = newTry();
		const sending = sendWithRetries(item, request, runTry);
		await settle();
		runTry.end();
		finishOpening();
		expect(await sending).toBeUndefined();
		expect(send).not.toHaveBeenCalled();
		expect(runTry.run.sent.size).toBe(0);
	});

	it('of many items opens without more listeners on one signal than Node warns about', async () => {
		const runTry = newTry();
		const open = async () => await new Promise<never>(() => {});
		const count = EventEmitter.defaultMaxListeners + 1;
		for (let index = 0; index < count; index++) {
			const { item, request } = callWith([], { open });
			sendWithRetries({ ...item, index }, request, runTry).catch(() => {});
		}
		await settle();
		expect(getEventListeners(runTry.ended, 'abort').length).toBeLessThan(count);
		runTry.end();
	});
});
