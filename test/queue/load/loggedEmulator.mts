import { startEmulatorProcess } from '../../../dev/emulator/emulatorProcess.mts';
import { ScriptedServer } from '../../support/servers/scriptedServer.mts';
import { findRecording } from './submit.mts';

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

/**
 * Starts the emulator that the workers call, behind a server that records which recording each call was about. The
 * emulator's own usage counts calls, but cannot distinguish a repeated call from two calls.
 */
export async function startLoggedEmulator() {
	const emulator = await startEmulatorProcess();
	const { callApi } = emulator;
	// Tones cost next to nothing, with any voice of the machine.
	await callApi('PUT', '/settings', { ttsEngine: 'tones', unknownVoice: 'accept' });
	await callApi('PUT', '/wallets/sandbox', { balance: 1_000_000 });
	const calls: Call[] = [];
	const server = await ScriptedServer.start(async ({ url, headers, body }, response) => {
		const recording = findRecording(body.toString('latin1'));
		const call: Call = { recording, operation: url.split('/').at(-1)!, status: 0 };
		calls.push(call);
		// A long run would fill the memory.
		server.requests.length = 0;
		const answer = await fetch(new URL(url, emulator.baseUrl), {
			method: 'POST',
			headers: {
				'content-type': headers['content-type']!,
				'x-api-key': String(headers['x-api-key']),
			},
			body,
		});
		call.status = answer.status;
		response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! });
		response.end(Buffer.from(await answer.arrayBuffer()));
	});
	return {
		baseUrl: server.baseUrl,
		apiKey: await emulator.createKey('sandbox'),
		calls,
		callApi,
		async stop() {
			await server.stop();
			await emulator.stop();
		},
	};
}
