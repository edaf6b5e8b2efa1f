import { startEmulator } from '../emulator/index.mjs';
import { availableScopes } from '../emulator/operations.mjs';
import { codeOf, Problem } from '../n8n/problem.mjs';
import { voiceSample } from './sample.mjs';

/**
 * The service, for the demo.
 * @typedef {object} Service
 * @property {string} baseUrl
 * @property {string} consoleUrl
 * @property {string} apiKey a sandbox key; never print it
 * @property {() => Promise<number>} credits credits that are left in the sandbox wallet
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the emulator in this process.
 * @param {number} port
 * @param {string} folder where it keeps keys, voices and wallets
 * @param {string} [apiKey] the key of an earlier run; a new one is created unless it still works
 * @returns {Promise<Service>}
 * @throws {Problem} if the port is in use
 */
export async function startService(port, folder, apiKey = '') {
	const emulator = await startEmulator({ port, folder }).catch((error) => {
		if (codeOf(error) !== 'EADDRINUSE') throw error;
		throw new Problem(`Port ${port}, meant for the emulator, is already used by another program.`);
	});
	const { baseUrl, consoleUrl } = emulator;
	return {
		baseUrl,
		consoleUrl,
		apiKey: emulator.acceptsKey(apiKey)
			? apiKey
			: emulator.createKey({ environment: 'sandbox', scopes: availableScopes(''), name: 'Demo' })
					.key,
		credits: async () => emulator.wallets.sandbox,
		stop: emulator.close,
	};
}

/**
 * Clones a voice for the examples that need one.
 * @param {Service} service
 * @returns {Promise<string>} its ID
 */
export async function cloneVoice({ baseUrl, apiKey }) {
	const body = new FormData();
	body.append('name', 'Demo');
	body.append('file', new File([voiceSample()], 'voice-sample.wav', { type: 'audio/wav' }));
	const headers = { 'X-API-Key': apiKey };
	const response = await fetch(`${baseUrl}/ai/voice-clone`, { method: 'POST', headers, body });
	const { voice_id: voiceId } = await response.json();
	if (!voiceId) throw new Error(`The emulator cloned no voice (status ${response.status})`);
	return voiceId;
}
