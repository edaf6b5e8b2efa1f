import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

import type { Wallets } from '../../../dev/emulator/wallets.mts';
import { startEmulatorProcess } from '../../../dev/emulator/emulatorProcess.mts';
import { findRecording } from './recordings.mts';

/** A call as the service saw it. */
interface Call {
	/** Which recording it was about, like `run-17`. */
	recording: string;
	/** Last part of the path: `speech-to-text`. */
	operation: string;
	/** Of the response; 0 until it is sent. */
	status: number;
}

export type LoggedEmulator = Awaited<ReturnType<typeof startLoggedEmulator>>;

/** Starts the emulator that the workers call, behind a proxy that logs the calls. */
export async function startLoggedEmulator() {
	const emulator = await startEmulatorProcess();
	const { callApi } = emulator;
	// Tones cost next to nothing, with any voice of the machine.
	await callApi('PUT', '/settings', { ttsEngine: 'tones', unknownVoice: 'accept' });
	await callApi('PUT', '/wallets/sandbox', { balance: 1_000_000 });
	const calls: Call[] = [];
	const proxy = createProxy(emulator.baseUrl, calls).listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	const { port } = proxy.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey: await emulator.createKey('sandbox'),
		calls,
		changeSettings: async (changes: object) => {
			await callApi('PUT', '/settings', changes);
		},
		/** @returns what is left in the sandbox wallet */
		credits: async (): Promise<number> =>
			(await callApi<Wallets>('GET', '/wallets')).sandbox.balance,
		async stop() {
			proxy.close();
			proxy.closeAllConnections();
			await emulator.stop();
		},
	};
}

/**
 * A proxy in front of the emulator that records which recording each call was about. The emulator's own
 * usage counts calls, but cannot distinguish a repeated call from two calls.
 *
 * @param target the emulator's base URL
 * @param calls where it writes
 */
function createProxy(target: string, calls: Call[]) {
	const server = createServer(async (incoming, outgoing) => {
		const body = await buffer(incoming).catch(() => undefined);
		// The call was ended before all of it arrived, so the emulator would not have debited it either.
		if (!body) return;
		const call: Call = {
			recording: findRecording(body.toString('latin1')),
			operation: incoming.url?.split('/').at(-1) ?? '',
			status: 0,
		};
		calls.push(call);
		const { 'transfer-encoding': _none, ...headers } = incoming.headers;
		const onward = request(
			new URL(incoming.url ?? '/', target),
			{ method: incoming.method, headers: { ...headers, 'content-length': body.length } },
			(response) => {
				call.status = response.statusCode ?? 0;
				outgoing.writeHead(call.status, response.headers);
				response.pipe(outgoing);
			},
		);
		onward.once('error', () => outgoing.destroy());
		onward.end(body);
	});
	server.requestTimeout = 0;
	return server;
}
