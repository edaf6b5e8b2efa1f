import { startEmulatorProcess, type EmulatorProcess } from '../emulator/process.mts';
import { voiceSample } from './samples.mts';

/** Where calls go, and the key that they need. */
interface Access {
	baseUrl: string;
	/** Must never be printed. */
	apiKey: string;
}

/** The emulator, a sandbox key of it, and a cloned voice. */
export interface Service extends EmulatorProcess, Access {
	voiceId: string;
}

/**
 * Starts the emulator.
 * @param folder where it keeps keys, voices and wallets
 * @param earlier key and voice of an earlier run; new ones are made if the key does not work
 */
export async function startService(
	port: number,
	folder: string,
	earlier: { apiKey?: string; voiceId?: string },
): Promise<Service> {
	const emulator = await startEmulatorProcess(['--port', String(port), '--folder', folder]);
	const { apiKey, voiceId } = earlier;
	if (apiKey && voiceId && (await acceptsKey(emulator, apiKey))) {
		return { ...emulator, apiKey, voiceId };
	}
	const newKey = await emulator.createKey('sandbox', { name: 'Demo' });
	const newVoice = await cloneVoice({ baseUrl: emulator.baseUrl, apiKey: newKey });
	return { ...emulator, apiKey: newKey, voiceId: newVoice };
}

/** Asks as the credential's test does. */
async function acceptsKey({ baseUrl }: EmulatorProcess, apiKey: string): Promise<boolean> {
	const response = await fetch(`${baseUrl}/ai/speech-to-text`, {
		headers: { 'X-API-Key': apiKey },
	});
	return response.status !== 401;
}

/**
 * Clones a voice for the examples that need one.
 * @returns its ID
 */
export async function cloneVoice({ baseUrl, apiKey }: Access): Promise<string> {
	const body = new FormData();
	body.append('name', 'Demo');
	body.append('file', new File([voiceSample()], 'voice-sample.wav', { type: 'audio/wav' }));
	const headers = { 'X-API-Key': apiKey };
	const response = await fetch(`${baseUrl}/ai/voice-clone`, { method: 'POST', headers, body });
	const { voice_id: voiceId } = await response.json();
	if (!voiceId) throw new Error(`The emulator cloned no voice (status ${response.status})`);
	return voiceId;
}
