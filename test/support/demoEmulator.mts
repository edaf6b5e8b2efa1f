import { cloneVoice } from '../../dev/demo/emulator.mts';
import { createVoiceSample } from '../../dev/demo/samples.mts';
import type { Demo } from '../../dev/demo/startDemo.mts';

/** A call, as the emulator's usage lists it. */
interface Call {
	id: number;
	operation: string;
	testData: boolean;
	credits: number;
	voiceId?: string;
}

/** The emulator: what it was paid for, and recordings that it understands. */
export class DemoEmulator {
	private voiceId: Promise<string> | undefined;

	private settingsBefore: object | undefined;

	constructor(private readonly emulator: Demo['emulator']) {}

	/** Sets the emulator back to the settings that it had before this object changed one. */
	async resetSettings(): Promise<void> {
		if (this.settingsBefore !== undefined) await this.changeSettings(this.settingsBefore);
	}

	/** @param settings as the emulator's README lists them */
	async changeSettings(settings: object): Promise<void> {
		this.settingsBefore ??= await this.read('settings');
		const response = await fetch(`${this.emulator.consoleUrl}/api/settings`, {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(settings),
		});
		expect(response.status).toBe(200);
	}

	/** A cloned voice, always the same. */
	findVoice = async (): Promise<string> => {
		this.voiceId ??= cloneVoice(this.emulator.baseUrl, this.emulator.apiKey);
		return await this.voiceId;
	};

	/** The bytes of a WAV file that says this text. */
	async speak(text: string): Promise<Buffer> {
		const { baseUrl, apiKey } = this.emulator;
		const spoken = await fetch(`${baseUrl}/ai/text-to-speech`, {
			method: 'POST',
			headers: { 'X-API-Key': apiKey, 'content-type': 'application/json' },
			body: JSON.stringify({ text, voice_id: await this.findVoice() }),
		});
		return Buffer.from(await spoken.arrayBuffer());
	}

	/** A recording that says this text. */
	createRecording = async (text: string, name = 'recording.wav'): Promise<File> =>
		new File([await this.speak(text)], name, { type: 'audio/wav' });

	/** A file that is refused because it is not a recording. */
	createNoAudio = (): File => new File(['no audio at all'], 'broken.wav', { type: 'audio/wav' });

	createSample = (): File => new File([createVoiceSample()], 'sample.wav', { type: 'audio/wav' });

	private read = async <T,>(path: string): Promise<T> =>
		(await (await fetch(`${this.emulator.consoleUrl}/api/${path}`)).json()) as T;

	private async readCalls(after = 0): Promise<Call[]> {
		return (await this.read<{ calls: Call[] }>(`usage?after=${after}`)).calls;
	}

	/** The credits in the sandbox wallet. */
	private async readCredits(): Promise<number> {
		return (await this.read<{ sandbox: { balance: number } }>('wallets')).sandbox.balance;
	}

	/** Runs something; returns its result and the calls that the service was paid for meanwhile. */
	async runAndListPaid<T>(task: () => Promise<T>) {
		const last = (await this.readCalls()).at(-1)?.id ?? 0;
		const before = await this.readCredits();
		const result = await task();
		const calls = (await this.readCalls(last)).filter(({ credits }) => credits > 0);
		const total = calls.reduce((sum, { credits }) => sum + credits, 0);
		expect(before - (await this.readCredits())).toBe(total);
		for (const { testData } of calls) expect(testData).toBe(true);
		return { result, calls, paid: calls.map(({ operation }) => operation) };
	}
}
