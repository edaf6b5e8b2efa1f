import type { Demo } from '../../dev/demo/setup.mts';

/** What startN8n.ts has started. */
interface RunningDemo {
	chromium: string;
	url: string;
	login: { email: string; password: string };
	service: Demo['service'];
	/** The credential that the demo has made, for the emulator. */
	credential: Demo['credential'];
	/** Address of the mock server for other systems. */
	mockSystemsUrl: string;
	/** The folder that n8n may use. */
	files: string;
	/** The examples that are published, by their files' names. */
	workflows: Record<string, { id: string }>;
}

export const demo = JSON.parse(process.env.VOICE_SPEECH_DEMO ?? '{}') as RunningDemo;

/** Whether to take the pictures of the documents again. */
export const makesPictures = process.env.SCREENSHOTS === '1';

/** Reads a value repeatedly until it is the expected one. Fails with the last value after 30 seconds. */
export async function expectEventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
	const deadline = Date.now() + 30_000;
	for (;;) {
		const value = await read();
		try {
			expect(value).toEqual(expected);
			return;
		} catch (error) {
			if (Date.now() > deadline) throw error;
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
