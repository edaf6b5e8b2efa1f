import { startEmulatorProcess, type EmulatorProcess } from '../emulator/process.mts';
import { createVoiceSample } from './samples.mts';
import type { DemoState } from './state.mts';

/** The emulator with a sandbox key and a cloned voice. */
export interface SeededEmulator extends EmulatorProcess {
	apiKey: string;
	voiceId: string;
}

/**
 * Starts the emulator with a key and a voice.
 *
 * @param folder where it keeps keys, voices and wallets
 * @param state gets a key and a voice, unless it has those of an earlier run
 */
export async function startSeededEmulator(
	port: number,
	folder: string,
	state: DemoState,
): Promise<SeededEmulator> {
	const emulator = await startEmulatorProcess(['--port', String(port), '--folder', folder]);
	const { baseUrl } = emulator;
	state.apiKey ??= await emulator.createKey('sandbox', { name: 'Demo' });
	state.voiceId ??= await cloneVoice({ baseUrl, apiKey: state.apiKey });
	return { ...emulator, apiKey: state.apiKey, voiceId: state.voiceId };
}

/**
 * Clones a voice for the examples that need one.
 *
 * @returns its ID
 */
export async function cloneVoice({
	baseUrl,
	apiKey,
}: Pick<SeededEmulator, 'baseUrl' | 'apiKey'>): Promise<string> {
	const body = new FormData();
	body.append('name', 'Demo');
	body.append('file', new File([createVoiceSample()], 'voice-sample.wav', { type: 'audio/wav' }));
	const headers = { 'X-API-Key': apiKey };
	const response = await fetch(`${baseUrl}/ai/voice-clone`, { method: 'POST', headers, body });
	const { voice_id: voiceId } = await response.json();
	if (!voiceId) throw new Error(`The emulator cloned no voice (status ${response.status})`);
	return voiceId;
}
