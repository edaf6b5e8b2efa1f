import { cloneVoice } from '../../../dev/demo/emulator.mts';
import { createVoiceSample } from '../../../dev/demo/samples.mts';
import type { Demo } from '../../../dev/demo/setup.mts';
import { waitForExecution, type Execution } from '../../../dev/n8n/executions.mts';
import { submitForm, type Ending } from '../../../dev/n8n/forms.mts';

/** A call, as the emulator's usage lists it. */
interface Call {
	id: number;
	operation: string;
	testData: boolean;
	credits: number;
	voiceId?: string;
}

/** The emulator: what it was paid for, and recordings that it understands. */
export class EmulatedService {
	private voiceId: Promise<string> | undefined;

	private settingsBefore: object | undefined;

	constructor(private readonly service: Demo['service']) {}

	/** Sets the emulator back to the settings that it had before this object changed one. */
	async resetSettings(): Promise<void> {
		if (this.settingsBefore !== undefined) await this.emulate(this.settingsBefore);
	}

	/** @param settings as the emulator's README lists them */
	async emulate(settings: object): Promise<void> {
		this.settingsBefore ??= await this.read('settings');
		const response = await fetch(`${this.service.consoleUrl}/api/settings`, {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(settings),
		});
		expect(response.status).toBe(200);
	}

	/** A cloned voice, always the same. */
	findVoice = async (): Promise<string> => {
		this.voiceId ??= cloneVoice(this.service);
		return await this.voiceId;
	};

	/** The bytes of a WAV file that says this text. */
	async speak(text: string): Promise<Buffer> {
		const { baseUrl, apiKey } = this.service;
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

	private read = async <T>(path: string): Promise<T> =>
		(await (await fetch(`${this.service.consoleUrl}/api/${path}`)).json()) as T;

	private async readCalls(after = 0): Promise<Call[]> {
		return (await this.read<{ calls: Call[] }>(`usage?after=${after}`)).calls;
	}

	/** The credits in the sandbox wallet. */
	private async readCredits(): Promise<number> {
		return (await this.read<{ sandbox: { balance: number } }>('wallets')).sandbox.balance;
	}

	/** Runs something; gives its result and the calls that the service was paid for meanwhile. */
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

/** The examples in the demo. */
export class Examples extends EmulatedService {
	constructor(readonly demo: Demo) {
		super(demo.service);
	}

	/**
	 * Fills in an example's form as a visitor does; gives the last page, the execution and what was paid for.
	 * @param further the values of each further page that asks something
	 */
	async submit(
		form: string,
		values: Parameters<typeof submitForm>[1],
		further?: Array<Record<string, string>>,
	) {
		const { demo } = this;
		const url = `${demo.n8n.url}/form/${form}`;
		const { result, ...costs } = await this.runAndListPaid(
			async () => await submitForm(url, values, 60_000, further),
		);
		const execution = await waitForExecution(demo.rest, result.executionId);
		expectSuccess(execution);
		return { ...result, execution, ...costs };
	}
}

/** Fails with what n8n said. */
export function expectSuccess({ status, error }: Execution): void {
	expect({ status, error }).toEqual({ status: 'success' });
}

/** Addresses, and advice for the person who runs n8n. */
const notForVisitors = /https?:|\/ai\/|\b(credential|wallet|key|scope|debited|option|Settings)\b/i;

/** The visitor reads what is wrong with the file, and what to do; nothing is paid. */
export function expectRefusal(page: Ending & { paid: string[] }, title: string): void {
	expect(page).toMatchObject({ title, paid: [] });
	expect(page.message).toMatch(
		/^The file 'broken\.wav' is not audio: its content is text\.\n\nOpen the form again /,
	);
	expect(page.message).toContain('a WAV, MP3, M4A or FLAC file');
	expect(page.message).not.toMatch(notForVisitors);
}

/**
 * The visitor reads no reason, but the number of the execution, in which the person who runs the form finds it. Another recording
 * would not help, and might cost credits again.
 */
export function expectNumber(page: Ending & { executionId: string }, title: string): void {
	expect(page.title).toBe(title);
	expect(page.message).toContain(
		`tell the person who runs the form this number: ${page.executionId}`,
	);
	expect(page.message).not.toMatch(/Open the form again|Upload/);
	expect(page.message).not.toMatch(notForVisitors);
}
