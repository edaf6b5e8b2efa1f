import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/emulatorProcess.mts';
import type { Settings } from '../../dev/emulator/settings.mts';
import type { Wallets } from '../../dev/emulator/wallets.mts';
import type { CallRecord } from '../../dev/emulator/usage.mts';
import { createUpload } from './createForm.mts';

/** Sends a request (POST by default), and reads all of the response. */
export async function send(url: string, options: RequestInit = {}) {
	const response = await fetch(url, { method: 'POST', ...options });
	const body = Buffer.from(await response.arrayBuffer());
	const headers = Object.fromEntries(response.headers);
	const isJson = body.length > 0 && /json/.test(headers['content-type'] ?? '');
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests know what they asked for
	const json: any = isJson ? JSON.parse(body.toString()) : undefined;
	return { status: response.status, headers, body, json };
}

/** Calls an operation with a form, or with JSON. */
export async function callOperation(
	{ baseUrl }: Pick<EmulatorProcess, 'baseUrl'>,
	key: string,
	operation: string,
	body: object,
) {
	const isForm = body instanceof FormData;
	const headers: Record<string, string> = { 'X-API-Key': key };
	if (!isForm) headers['Content-Type'] = 'application/json';
	return await send(`${baseUrl}/ai/${operation}`, {
		headers,
		body: isForm ? body : JSON.stringify(body),
	});
}

/** An emulator, and a sandbox key that has all scopes. */
class EmulatorClient {
	emulator!: EmulatorProcess;

	key!: string;

	callApi!: EmulatorProcess['callApi'];

	async start(settings: object, env: NodeJS.ProcessEnv): Promise<void> {
		this.emulator = await startEmulatorProcess([], env);
		this.callApi = this.emulator.callApi;
		this.key = await this.emulator.createKey('sandbox');
		await this.callApi('PUT', '/settings', settings);
	}

	/** Runs a task with other settings, and restores them. */
	async runWithSettings(changes: object, task: () => Promise<void>): Promise<void> {
		const before = await this.callApi<Settings>('GET', '/settings');
		await this.callApi('PUT', '/settings', changes);
		try {
			await task();
		} finally {
			await this.callApi('PUT', '/settings', before);
		}
	}

	call = async (operation: string, body: object, key = this.key) =>
		await callOperation(this.emulator, key, operation, body);

	transcribe = async (file: Buffer) => await this.call('speech-to-text', createUpload(file));

	/** Clones a voice, and returns its id. */
	async cloneVoice(sample: Buffer): Promise<string> {
		const { json } = await this.call('voice-clone', createUpload(sample, { name: 'Anna' }));
		return json.voice_id;
	}

	/** Balances of the sandbox and the live wallet. */
	async readBalances(): Promise<Record<keyof Wallets, number>> {
		const { sandbox, live } = await this.callApi<Wallets>('GET', '/wallets');
		return { sandbox: sandbox.balance, live: live.balance };
	}

	async readLastCall(): Promise<CallRecord | undefined> {
		const { calls } = await this.callApi<{ calls: CallRecord[] }>('GET', '/usage');
		return calls.at(-1);
	}
}

/**
 * Starts an emulator for all tests of a file.
 *
 * @param settings what differs from the emulator's default settings
 * @param env more variables of its environment
 */
export function useEmulator(settings: object = {}, env: NodeJS.ProcessEnv = {}): EmulatorClient {
	const client = new EmulatorClient();
	beforeAll(async () => await client.start(settings, env));
	afterAll(async () => await client.emulator.stop());
	return client;
}
