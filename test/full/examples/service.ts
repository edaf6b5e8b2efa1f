import type { Demo, Tools } from '../tools';

/** A call, as the emulator's usage lists it. */
export interface Call {
	id: number;
	operation: string;
	testData: boolean;
	credits: number;
	voiceId?: string;
}

/** The part of the demo that these tests use; test/hosts has it for other versions of n8n. */
export type Application = Pick<Demo, 'rest' | 'files' | 'recordings' | 'workflows'> & {
	n8n: { url: string };
	service: Omit<Demo['service'], 'stop'>;
};

/** The emulator: what it was paid for, and recordings that it understands. */
export class EmulatedService<D extends Pick<Application, 'service'> = Application> {
	private voiceId: string | undefined;

	constructor(
		readonly tools: Tools,
		readonly demo: D,
	) {}

	/** @param setting as the emulator's README lists them */
	async emulate(setting: object): Promise<void> {
		const answer = await fetch(`${this.demo.service.consoleUrl}/api/settings`, {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(setting),
		});
		expect(answer.status).toBe(200);
	}

	/** A cloned voice, always the same. */
	async voice(): Promise<string> {
		if (this.voiceId === undefined) {
			const sample = new FormData();
			sample.append('name', 'Caller');
			sample.append('file', this.sample());
			const cloned = await (await this.callService('voice-clone', sample)).json();
			this.voiceId = (cloned as { voice_id: string }).voice_id;
		}
		return this.voiceId;
	}

	/** A recording that says this text. */
	async recordingOf(text: string, name = 'recording.wav'): Promise<File> {
		const body = JSON.stringify({ text, voice_id: await this.voice() });
		const spoken = await this.callService('text-to-speech', body);
		return new File([Buffer.from(await spoken.arrayBuffer())], name, { type: 'audio/wav' });
	}

	sample = (): File => new File([this.tools.voiceSample()], 'sample.wav', { type: 'audio/wav' });

	private async callService(operation: string, body: FormData | string): Promise<Response> {
		const { baseUrl, apiKey } = this.demo.service;
		const headers = new Headers({ 'X-API-Key': apiKey });
		if (typeof body === 'string') headers.set('content-type', 'application/json');
		return await fetch(`${baseUrl}/ai/${operation}`, { method: 'POST', headers, body });
	}

	private async calls(after = 0): Promise<Call[]> {
		const answer = await fetch(`${this.demo.service.consoleUrl}/api/usage?after=${after}`);
		return ((await answer.json()) as { calls: Call[] }).calls;
	}

	/** Runs something; gives its result and the calls that the service was paid for meanwhile. */
	async paidFor<T>(task: () => Promise<T>): Promise<{ result: T; calls: Call[]; paid: string[] }> {
		const { service } = this.demo;
		const last = (await this.calls()).at(-1)?.id ?? 0;
		const before = await service.credits();
		const result = await task();
		const calls = (await this.calls(last)).filter(({ credits }) => credits > 0);
		const total = calls.reduce((sum, { credits }) => sum + credits, 0);
		expect(before - (await service.credits())).toBe(total);
		for (const { testData } of calls) expect(testData).toBe(true);
		return { result, calls, paid: calls.map(({ operation }) => operation) };
	}
}
