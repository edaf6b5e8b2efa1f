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

import { CallTimeouts, type TimeoutLimits } from '../../nodes/VoiceSpeech/execution/timeouts';

/** A real upload to a server under these limits; what stopped it, and after how many seconds. */
async function uploadTo(
	server: (message: IncomingMessage, response: ServerResponse) => void,
	upload: (write: (bytes: Buffer) => Promise<void>) => Promise<void>,
	limits: TimeoutLimits,
	cancel?: AbortSignal,
) {
	const listening: Server = createServer(server).listen(0);
	const timeouts = new CallTimeouts(limits, cancel);
	const begun = Date.now();
	let received = 0;
	try {
		const { port } = listening.address() as AddressInfo;
		const call = request({ port, method: 'POST', signal: timeouts.signal });
		const response = new Promise<IncomingMessage>((resolve, reject) => {
			call.on('response', resolve).on('error', reject);
		});
		response.catch(() => {});
		const write = async (bytes: Buffer) => {
			timeouts.uploading();
			if (call.write(bytes)) return;
			await Promise.race([new Promise((resolve) => call.once('drain', resolve)), response]);
		};
		await upload(write);
		timeouts.uploaded();
		call.end();
		const message = await response;
		timeouts.received();
		for await (const chunk of message) {
			received += (chunk as Buffer).length;
			timeouts.received();
		}
	} catch {
		// `timeouts.reason` says why.
	} finally {
		timeouts.end();
		listening.closeAllConnections();
		listening.close();
	}
	return { reason: timeouts.reason, took: (Date.now() - begun) / 1000, received };
}

const readAll = (message: IncomingMessage) => void message.resume();
const bytes = Buffer.alloc(64 * 1024);

/** Resolves when the call is stopped, or has finished. */
async function stopped({ signal }: CallTimeouts): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

describe('CallTimeouts', () => {
	it.each<[string, (timeouts: CallTimeouts) => void]>([
		['opening', () => {}],
		['opening, with bytes', (timeouts) => timeouts.opened()],
		['upload', (timeouts) => timeouts.uploading()],
		['waiting', (timeouts) => timeouts.uploaded()],
		['response', (timeouts) => timeouts.received()],
	])('stops a call that is canceled while %s', (_phase, reach) => {
		const cancel = new AbortController();
		const timeouts = new CallTimeouts({ waiting: 0 }, cancel.signal);
		reach(timeouts);
		cancel.abort();
		expect(timeouts.signal.aborted).toBe(true);
		expect(timeouts.reason).toMatchObject({ message: 'The execution was canceled' });
		timeouts.end();
	});

	it.each<
		[
			string,
			(timeouts: CallTimeouts) => void,
			TimeoutLimits,
			message: string,
			debit: string | undefined,
		]
	>([
		[
			'audio that does not begin to arrive',
			() => {},
			{ waiting: 0, opening: 0.2 },
			'The audio stalled for 0.2 seconds before the upload began',
			undefined,
		],
		[
			'audio that stalls before the upload',
			(timeouts) => timeouts.opened(),
			{ waiting: 0, opening: 0.2 },
			'The audio stalled for 0.2 seconds before the upload began',
			undefined,
		],
		[
			'an upload that stalls',
			(timeouts) => timeouts.uploading(),
			{ waiting: 0, upload: 0.2 },
			'The upload stalled for 0.2 seconds and was stopped',
			'possible',
		],
		[
			'a response that does not begin',
			(timeouts) => timeouts.uploaded(),
			{ waiting: 0.2 },
			'The service did not respond within 0.2 seconds after the upload',
			'possible',
		],
		[
			'a response that stalls',
			(timeouts) => timeouts.received(),
			{ waiting: 0, response: 0.2 },
			'The response stalled for 0.2 seconds and was stopped',
			'possible',
		],
	])('stops %s', async (_what, reach, limits, message, debit) => {
		const begun = Date.now();
		const timeouts = new CallTimeouts(limits, undefined);
		reach(timeouts);
		await stopped(timeouts);
		expect(timeouts.reason).toMatchObject({ message, debit });
		expect(Date.now() - begun).toBeGreaterThanOrEqual(195);
		expect(Date.now() - begun).toBeLessThan(2000);
		timeouts.end();
	});

	it('has its own limit for each phase, in which every byte counts', async () => {
		const timeouts = new CallTimeouts(
			{ waiting: 0.3, opening: 0.3, upload: 0.3, response: 0.3 },
			undefined,
		);
		const { opened, uploading, uploaded, received } = timeouts;
		for (const arrive of [opened, opened, uploading, uploading, uploaded, received, received]) {
			await sleep(200);
			arrive();
		}
		expect(timeouts.reason).toBeUndefined();
		timeouts.end();
	});

	it('says nothing of a stall once the call has finished', async () => {
		const timeouts = new CallTimeouts({ waiting: 0, upload: 0.05 }, undefined);
		timeouts.uploading();
		timeouts.end();
		await sleep(150);
		expect(timeouts.reason).toBeUndefined();
		expect(timeouts.signal.aborted).toBe(true);
	});

	it('stops an upload that the service does not read', async () => {
		const { reason, took } = await uploadTo(
			() => {}, // reads nothing
			async (write) => {
				for (;;) await write(bytes);
			},
			{ waiting: 0, upload: 0.5 },
		);
		expect(reason?.message).toMatch(/^The upload stalled/);
		expect(took).toBeLessThan(2);
	});

	it('lets a slow upload go on', async () => {
		const { reason, took } = await uploadTo(
			(message, response) => message.resume().on('end', () => response.end('done')),
			async (write) => {
				for (let piece = 0; piece < 8; piece++) {
					await sleep(200);
					await write(bytes);
				}
			},
			{ waiting: 1, upload: 0.5 },
		);
		expect(reason).toBeUndefined();
		expect(took).toBeGreaterThan(1.5);
	});

	it('counts the wait for the response from the end of the upload', async () => {
		const { reason, took } = await uploadTo(
			readAll,
			async (write) => {
				for (let piece = 0; piece < 4; piece++) {
					await sleep(300);
					await write(bytes);
				}
			},
			{ waiting: 0.6, upload: 5 },
		);
		expect(reason?.message).toMatch(/^The service did not respond/);
		expect(took).toBeGreaterThan(1.7);
		expect(took).toBeLessThan(3);
	});

	it('waits for the response without a limit where there is none', async () => {
		const { reason, received } = await uploadTo(
			(_message, response) => void sleep(900).then(() => response.end('late')),
			async (write) => await write(bytes),
			{ waiting: 0, upload: 0.3, response: 0.3 },
		);
		expect(reason).toBeUndefined();
		expect(received).toBe(4);
	});

	it('stops a response that stalls after its first bytes', async () => {
		const { reason, received } = await uploadTo(
			(_message, response) => void response.write('begun'),
			async (write) => await write(bytes),
			{ waiting: 5, response: 0.5 },
		);
		expect(reason?.message).toMatch(/^The response stalled/);
		expect(received).toBe(5);
	});

	it('lets a slow response go on', async () => {
		const { reason, received } = await uploadTo(
			async (_message, response) => {
				for (let piece = 0; piece < 5; piece++) {
					response.write('piece');
					await sleep(250);
				}
				response.end();
			},
			async (write) => await write(bytes),
			{ waiting: 0.4, response: 0.6 },
		);
		expect(reason).toBeUndefined();
		expect(received).toBe(25);
	});

	it('stays in the last phase where the response begins before the upload has ended', async () => {
		const timeouts = new CallTimeouts({ waiting: 5, response: 0.2 }, undefined);
		timeouts.uploading();
		timeouts.received();
		timeouts.uploading();
		timeouts.uploaded();
		await stopped(timeouts);
		expect(timeouts.reason?.message).toMatch(/^The response stalled/);
	});

	it('stops the call with the execution', async () => {
		const cancel = new AbortController();
		void sleep(200).then(() => cancel.abort());
		const { reason, took } = await uploadTo(
			readAll,
			async (write) => await write(bytes),
			{ waiting: 0, upload: 5 },
			cancel.signal,
		);
		expect(reason?.message).toBe('The execution was canceled');
		expect(took).toBeLessThan(1);
		expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
	});
});
