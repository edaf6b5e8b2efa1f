/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { getEventListeners } from 'node:events';
import {
	createServer,
	request,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { maybeDebited, nothingDebited } from '../../nodes/VoiceSpeech/errors/callError';
import { Hold } from '../../nodes/VoiceSpeech/request/hold';
import { retryWait } from '../../nodes/VoiceSpeech/request/retry';
import { CallWatch } from '../../nodes/VoiceSpeech/request/watch';

/** A real upload to a server, watched; what ended it, and after how long. */
async function watched(
	server: (message: IncomingMessage, answer: ServerResponse) => void,
	upload: (write: (bytes: Buffer) => Promise<void>, watch: CallWatch) => Promise<void>,
	patience: { answer: number; stall: number },
	cancel?: AbortSignal,
) {
	const listening: Server = createServer(server).listen(0);
	const watch = new CallWatch(patience, cancel);
	const begun = Date.now();
	let received = 0;
	try {
		const { port } = listening.address() as AddressInfo;
		const call = request({ port, method: 'POST', signal: watch.signal });
		const answer = new Promise<IncomingMessage>((resolve, reject) => {
			call.on('response', resolve).on('error', reject);
		});
		answer.catch(() => {});
		const write = async (bytes: Buffer) => {
			watch.moved();
			if (call.write(bytes)) return;
			await Promise.race([new Promise((resolve) => call.once('drain', resolve)), answer]);
		};
		await upload(write, watch);
		watch.uploaded();
		call.end();
		const message = await answer;
		watch.answered();
		for await (const chunk of message) {
			received += (chunk as Buffer).length;
			watch.answered();
		}
	} catch {
		// The reason is the watch's to tell.
	} finally {
		watch.end();
		listening.closeAllConnections();
		listening.close();
	}
	return { reason: watch.reason, took: (Date.now() - begun) / 1000, received };
}

const swallow = (message: IncomingMessage) => void message.resume();
const bytes = Buffer.alloc(64 * 1024);

describe('the watch over a call', () => {
	it.each<[string, (watch: CallWatch) => void, string]>([
		['while the recording is opened', (watch) => watch.opening(), nothingDebited],
		['once bytes are on their way', (watch) => watch.moved(), maybeDebited],
	])('tells what a call may have cost that is cancelled %s', (_when, reach, debit) => {
		const cancel = new AbortController();
		const watch = new CallWatch({ answer: 0 }, cancel.signal);
		watch.opening();
		reach(watch);
		cancel.abort();
		expect(watch.reason).toMatchObject({ description: debit });
		watch.end();
	});

	it('says nothing of a stall once the call is over', async () => {
		const watch = new CallWatch({ answer: 0, stall: 0.05 }, undefined);
		watch.moved();
		watch.end();
		await sleep(150);
		expect(watch.reason).toBeUndefined();
	});

	it('ends an upload that stands still', async () => {
		const { reason, took } = await watched(
			() => {}, // reads nothing
			async (write) => {
				for (;;) await write(bytes);
			},
			{ answer: 0, stall: 0.5 },
		);
		expect(reason).toMatchObject({
			message: 'The upload moved no byte for 0.5 seconds and was ended',
			description: expect.stringMatching(/^Check the network, .* may have been debited/),
		});
		expect(took).toBeLessThan(2);
	});

	it('lets an upload go on that is slow, however long it takes', async () => {
		const { reason, took } = await watched(
			(message, answer) => message.resume().on('end', () => answer.end('done')),
			async (write) => {
				for (let piece = 0; piece < 8; piece++) {
					await sleep(200);
					await write(bytes);
				}
			},
			{ answer: 1, stall: 0.5 },
		);
		expect(reason).toBeUndefined();
		expect(took).toBeGreaterThan(1.5);
	});

	it('counts the wait for the answer from the end of the upload, and not before', async () => {
		const { reason, took } = await watched(
			swallow,
			async (write) => {
				for (let piece = 0; piece < 4; piece++) {
					await sleep(300);
					await write(bytes);
				}
			},
			{ answer: 0.6, stall: 5 },
		);
		expect(reason).toMatchObject({
			message: expect.stringContaining('did not begin to answer within 0.6 seconds'),
			description: expect.stringMatching(/^For long recordings raise .* may have been debited/),
		});
		expect(took).toBeGreaterThan(1.7);
		expect(took).toBeLessThan(3);
	});

	it('waits for the answer without limit where that is lifted, stall or not', async () => {
		const { reason, received } = await watched(
			(_message, answer) => void sleep(900).then(() => answer.end('late')),
			async (write) => await write(bytes),
			{ answer: 0, stall: 0.3 },
		);
		expect(reason).toBeUndefined();
		expect(received).toBe(4);
	});

	it('ends an answer that stands still', async () => {
		const { reason, received } = await watched(
			(_message, answer) => void answer.write('begun'),
			async (write) => await write(bytes),
			{ answer: 5, stall: 0.5 },
		);
		expect(reason?.message).toContain('The answer moved no byte for 0.5 seconds');
		expect(received).toBe(5);
	});

	it('lets an answer go on that is slow', async () => {
		const { reason, received } = await watched(
			async (_message, answer) => {
				for (let piece = 0; piece < 5; piece++) {
					answer.write('piece');
					await sleep(250);
				}
				answer.end();
			},
			async (write) => await write(bytes),
			{ answer: 0.4, stall: 0.6 },
		);
		expect(reason).toBeUndefined();
		expect(received).toBe(25);
	});

	it('says nothing was debited where the recording itself did not begin to arrive', async () => {
		const watch = new CallWatch({ answer: 1, stall: 0.2 }, undefined);
		watch.opening();
		await new Promise((resolve) => watch.signal.addEventListener('abort', resolve));
		expect(watch.reason).toMatchObject({
			message: 'The recording did not begin to arrive within 0.2 seconds',
			description: expect.stringContaining('nothing was debited'),
		});
	});

	it('takes an answer that begins before the upload is through for the last phase', async () => {
		const watch = new CallWatch({ answer: 5, stall: 0.2 }, undefined);
		watch.moved();
		watch.answered();
		watch.moved();
		watch.uploaded();
		await new Promise((resolve) => watch.signal.addEventListener('abort', resolve));
		expect(watch.reason?.message).toContain('The answer moved no byte');
	});

	it('ends the call with the execution', async () => {
		const cancel = new AbortController();
		void sleep(200).then(() => cancel.abort());
		const { reason, took } = await watched(
			swallow,
			async (write) => await write(bytes),
			{ answer: 0, stall: 5 },
			cancel.signal,
		);
		expect(reason?.message).toBe('The execution was canceled');
		expect(took).toBeLessThan(1);
		expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
	});
});

describe('the wait before a call is sent again', () => {
	it('is another each time where the service names none, and never longer than it may be', () => {
		const limits = { rateLimitRetries: 5, maxRetryWaitSeconds: 300 };
		const waits = Array.from({ length: 50 }, () => retryWait(429, {}, 2, limits) ?? NaN);
		expect(new Set(waits).size).toBeGreaterThan(40);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(2);
		expect(Math.max(...waits)).toBeLessThanOrEqual(4);
	});
});

describe('holding back', () => {
	it('holds all back with one listener, again and again, and no longer than told', async () => {
		const ended = new AbortController();
		const hold = new Hold(ended.signal);
		await hold.over();
		for (let round = 0; round < 2; round++) {
			const begun = Date.now();
			hold.begin(0.2);
			hold.begin(0.1);
			const waiting = Array.from({ length: 50 }, async () => await hold.over());
			expect(getEventListeners(ended.signal, 'abort')).toHaveLength(1);
			await Promise.all(waiting);
			expect(Date.now() - begun).toBeGreaterThanOrEqual(200);
			expect(Date.now() - begun).toBeLessThan(2000);
			expect(getEventListeners(ended.signal, 'abort')).toHaveLength(0);
		}
	});

	it('holds on where it is asked to wait longer meanwhile', async () => {
		const hold = new Hold(new AbortController().signal);
		const begun = Date.now();
		hold.begin(0.1);
		const waiting = hold.over();
		hold.begin(0.3);
		await waiting;
		expect(Date.now() - begun).toBeGreaterThanOrEqual(300);
	});

	it('lets go at once where the run ends', async () => {
		const ended = new AbortController();
		const hold = new Hold(ended.signal);
		hold.begin(60);
		void sleep(50).then(() => ended.abort());
		await hold.over();
		await hold.over();
	});
});
