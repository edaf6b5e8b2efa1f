import { startEmulator } from '../emulator/index.mts';
import { availableScopes } from '../emulator/operations.mts';
import { voiceSample } from './samples.mts';
import type { Emulator } from '../emulator/index.mts';

/** The emulator, and a sandbox key of it, which must never be printed. */
export type Service = Emulator & { apiKey: string };

/**
 * Starts the emulator in this process.
 * @param folder where it keeps keys, voices and wallets
 * @param apiKey the key of an earlier run; a new one is created unless it still works
 */
export async function startService(
	port: number,
	folder: string,
	apiKey: string = '',
): Promise<Service> {
	const emulator = await startEmulator({ port, folder });
	if (emulator.acceptsKey(apiKey)) return { ...emulator, apiKey };
	const wanted = { scopes: availableScopes(''), name: 'Demo' };
	const { key } = emulator.createKey({ environment: 'sandbox', ...wanted });
	return { ...emulator, apiKey: key };
}

/**
 * Clones a voice for the examples that need one.
 * @returns its ID
 */
export async function cloneVoice({ baseUrl, apiKey }: Service): Promise<string> {
	const body = new FormData();
	body.append('name', 'Demo');
	body.append('file', new File([voiceSample()], 'voice-sample.wav', { type: 'audio/wav' }));
	const headers = { 'X-API-Key': apiKey };
	const response = await fetch(`${baseUrl}/ai/voice-clone`, { method: 'POST', headers, body });
	const { voice_id: voiceId } = await response.json();
	if (!voiceId) throw new Error(`The emulator cloned no voice (status ${response.status})`);
	return voiceId;
}
