import { createVoiceSample } from '../../dev/demo/samples.mts';
import type { Demo } from '../../dev/demo/startDemo.mts';
import { createConsoleApi } from '../../dev/emulator/emulatorProcess.mts';
import type { CallRecord } from '../../dev/emulator/usage.mts';
import type { Wallets } from '../../dev/emulator/wallets.mts';
import { callOperation } from './emulatorClient.mts';

/** Where the demo's emulator is, with its key and its cloned voice. */
export type EmulatorAddress = Pick<
	Demo['emulator'],
	'baseUrl' | 'consoleUrl' | 'apiKey' | 'voiceId'
>;

/** The demo's emulator: what it was paid for, and recordings that it understands. */
export class DemoEmulator {
	private readonly callApi: Demo['emulator']['callApi'];

	private settingsBefore: object | undefined;

	constructor(private readonly emulator: EmulatorAddress) {
		this.callApi = createConsoleApi(emulator.consoleUrl);
	}

	/** A cloned voice. */
	get voiceId(): string {
		return this.emulator.voiceId;
	}

	/** Sets the emulator back to the settings that it had before this object changed one. */
	async resetSettings(): Promise<void> {
		if (this.settingsBefore !== undefined) await this.changeSettings(this.settingsBefore);
	}

	/** @param settings as the emulator's README lists them */
	async changeSettings(settings: object): Promise<void> {
		this.settingsBefore ??= await this.callApi<object>('GET', '/settings');
		await this.callApi('PUT', '/settings', settings);
	}

	/** The bytes of a WAV file that says this text. */
	async speak(text: string): Promise<Buffer> {
		const body = { text, voice_id: this.voiceId };
		return (await callOperation(this.emulator, this.emulator.apiKey, 'text-to-speech', body)).body;
	}

	/** A recording that says this text. */
	createRecording = async (text: string, name = 'recording.wav'): Promise<File> =>
		new File([await this.speak(text)], name, { type: 'audio/wav' });

	/** A file that is refused because it is not a recording. */
	createNoAudio = (): File => new File(['no audio at all'], 'broken.wav', { type: 'audio/wav' });

	createSample = (): File => new File([createVoiceSample()], 'sample.wav', { type: 'audio/wav' });

	private readonly readCalls = async (after = 0) =>
		(await this.callApi<{ calls: CallRecord[] }>('GET', `/usage?after=${after}`)).calls;

	/** The credits in the sandbox wallet. */
	private readonly readCredits = async () =>
		(await this.callApi<Wallets>('GET', '/wallets')).sandbox.balance;

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
