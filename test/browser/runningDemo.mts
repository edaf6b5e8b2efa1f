import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { Demo } from '../../dev/demo/startDemo.mts';
import type { EmulatorAddress } from '../support/demoEmulator.mts';

/** What startN8n.cts has started. */
interface RunningDemo extends Pick<Demo, 'login' | 'credential' | 'workflows' | 'files'> {
	chromium: string;
	/** The folder of the browser profile that is signed in. */
	profile: string;
	url: string;
	emulator: EmulatorAddress;
	/** Address of the mock server for other systems. */
	mockSystemsUrl: string;
}

export const demo = JSON.parse(process.env.VOICE_SPEECH_DEMO ?? '{}') as RunningDemo;

/** Whether to take the pictures of the documents again. */
export const makesPictures = process.env.SCREENSHOTS === '1';

/** Reads a value repeatedly until it is the expected one. Fails with the last value after two minutes. */
export async function expectEventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
	/** It shows the difference between the last value and the expected one. */
	let mismatch: unknown;
	const isExpected = async () => {
		const value = await read();
		try {
			expect(value).toEqual(expected);
			return true;
		} catch (error) {
			mismatch = error;
			return false;
		}
	};
	await waitUntil(isExpected, {
		timeoutMs: 120_000,
		intervalMs: 50,
		createMessage: () => (mismatch as Error).message,
	});
}
