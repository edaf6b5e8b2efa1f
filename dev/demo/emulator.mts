import { startEmulatorProcess, type EmulatorProcess } from '../emulator/emulatorProcess.mts';
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
 * @param saved the key and the voice of an earlier run, which are used again
 */
export async function startSeededEmulator(
	port: number,
	folder: string,
	saved: Pick<DemoState, 'apiKey' | 'voiceId'>,
): Promise<SeededEmulator> {
	const emulator = await startEmulatorProcess(['--port', String(port), '--folder', folder]);
	const apiKey = saved.apiKey ?? (await emulator.createKey('sandbox', { name: 'Demo' }));
	const voiceId = saved.voiceId ?? (await cloneVoice(emulator.baseUrl, apiKey));
	return { ...emulator, apiKey, voiceId };
}

/**
 * Clones a voice for the examples that need one.
 *
 * @returns its ID
 */
async function cloneVoice(baseUrl: string, apiKey: string): Promise<string> {
	const body = new FormData();
	body.append('name', 'Demo');
	body.append('file', new File([createVoiceSample()], 'voice-sample.wav', { type: 'audio/wav' }));
	const headers = { 'X-API-Key': apiKey };
	const response = await fetch(`${baseUrl}/ai/voice-clone`, { method: 'POST', headers, body });
	const { voice_id: voiceId } = (await response.json()) as { voice_id?: string };
	if (!voiceId) throw new Error(`The emulator cloned no voice (status ${response.status})`);
	return voiceId;
}
