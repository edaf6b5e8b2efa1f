import { startEmulator } from '../emulator/index.mjs';
import { availableScopes } from '../emulator/operations.mjs';
import { voiceSample } from './samples.mjs';

/**
 * The emulator, and a sandbox key of it, which must never be printed.
 * @typedef {import('../emulator/index.mjs').Emulator & {apiKey: string}} Service
 */

/**
 * Starts the emulator in this process.
 * @param {number} port
 * @param {string} folder where it keeps keys, voices and wallets
 * @param {string} [apiKey] the key of an earlier run; a new one is created unless it still works
 * @returns {Promise<Service>}
 */
export async function startService(port, folder, apiKey = '') {
	const emulator = await startEmulator({ port, folder });
	if (emulator.acceptsKey(apiKey)) return { ...emulator, apiKey };
	const wanted = { scopes: availableScopes(''), name: 'Demo' };
	const { key } = emulator.createKey({ environment: 'sandbox', ...wanted });
	return { ...emulator, apiKey: key };
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
