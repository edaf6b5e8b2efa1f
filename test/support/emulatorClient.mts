import type MultipartForm from 'form-data';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';

import { startEmulatorProcess, type EmulatorProcess } from '../../dev/emulator/emulatorProcess.mts';
import type { Settings } from '../../dev/emulator/settings.mts';
import type { Wallets } from '../../dev/emulator/wallets.mts';
import type { CallRecord } from '../../dev/emulator/usage.mts';

export type ServiceResponse = Awaited<ReturnType<typeof send>>;

/** A field to send, or with a file name a file. */
export interface FormPart {
	name: string;
	value: string | Buffer;
	fileName?: string;
}

function readResponse(status: number, headers: http.IncomingHttpHeaders, body: Buffer) {
	const text = body.toString();
	const isJson = text !== '' && /json/.test(headers['content-type'] ?? '');
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests know what they asked for
	const json: any = isJson ? JSON.parse(text) : undefined;
	return { status, headers, body, text, json };
}

/** Sends a request (POST by default), and reads all of the response. */
export async function send(url: string, options: RequestInit = {}) {
	const response = await fetch(url, { method: 'POST', ...options });
	const body = Buffer.from(await response.arrayBuffer());
	return readResponse(response.status, Object.fromEntries(response.headers), body);
}

/**
 * Sends a multipart form as another program would: with the package form-data, which has no code in common with n8n's
 * client.
 *
 * @param length whether the request has a Content-Length; otherwise, its body is sent in chunks
 */
export async function sendMultipart(
	url: string,
	key: string,
	form: MultipartForm,
	length: 'known' | 'unknown',
) {
	const headers: http.OutgoingHttpHeaders = { ...form.getHeaders(), 'X-API-Key': key };
	if (length === 'known') {
		headers['Content-Length'] = await new Promise<number>((resolve, reject) =>
			form.getLength((error, bytes) => (error === null ? resolve(bytes) : reject(error))),
		);
	}
	const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
		const request = http.request(url, { method: 'POST', headers }, resolve);
		form.on('error', reject).pipe(request.on('error', reject));
	});
	return readResponse(response.statusCode ?? 0, response.headers, await buffer(response));
}

export async function sendJson(
	{ baseUrl }: Pick<EmulatorProcess, 'baseUrl'>,
	key: string,
	operation: string,
	body: unknown,
) {
	return await send(`${baseUrl}/ai/${operation}`, {
		headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
}

export async function sendForm(
	{ baseUrl }: EmulatorProcess,
	key: string,
	operation: string,
	parts: FormPart[],
) {
	const body = new FormData();
	for (const { name, value, fileName } of parts) {
		if (fileName === undefined) body.append(name, String(value));
		else body.append(name, new Blob([value]), fileName);
	}
	return await send(`${baseUrl}/ai/${operation}`, { headers: { 'X-API-Key': key }, body });
}

/** The usual parts of an upload. */
export function createFileParts(file: Buffer, fields: Record<string, string> = {}): FormPart[] {
	const textParts = Object.entries(fields).map(([name, value]) => ({ name, value }));
	return [{ name: 'file', value: file, fileName: 'recording.wav' }, ...textParts];
}

/** An emulator, and a sandbox key that has all scopes. */
class EmulatorClient {
	emulator!: EmulatorProcess;

	key!: string;

	async start(env: NodeJS.ProcessEnv): Promise<void> {
		this.emulator = await startEmulatorProcess([], env);
		this.key = await this.emulator.createKey('sandbox');
	}

	callApi = async <T,>(method: string, path: string, body?: unknown) =>
		await this.emulator.callApi<T>(method, path, body);

	changeSettings = async (changes: object) =>
		await this.callApi<Settings>('PUT', '/settings', changes);

	/** Runs a task with other settings, and restores them. */
	async runWithSettings(changes: object, task: () => Promise<void>): Promise<void> {
		const before = await this.callApi<Settings>('GET', '/settings');
		await this.changeSettings(changes);
		try {
			await task();
		} finally {
			await this.changeSettings(before);
		}
	}

	callWithJson = async (operation: string, body: unknown, key = this.key) =>
		await sendJson(this.emulator, key, operation, body);

	callWithForm = async (operation: string, parts: FormPart[], key = this.key) =>
		await sendForm(this.emulator, key, operation, parts);

	transcribe = async (file: Buffer) =>
		await this.callWithForm('speech-to-text', createFileParts(file));

	/** Clones a voice, and returns its id. */
	async cloneVoice(sample: Buffer): Promise<string> {
		return (await this.callWithForm('voice-clone', createFileParts(sample, { name: 'Anna' }))).json
			.voice_id;
	}

	/** Balances of the sandbox and the live wallet. */
	async readBalances(): Promise<Record<keyof Wallets, number>> {
		const { sandbox, live } = await this.callApi<Wallets>('GET', '/wallets');
		return { sandbox: sandbox.balance, live: live.balance };
	}

	async readLastCall(): Promise<CallRecord> {
		const { calls } = await this.callApi<{ calls: CallRecord[] }>('GET', '/usage');
		return calls.at(-1)!;
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
	beforeAll(async () => {
		await client.start(env);
		await client.changeSettings(settings);
	});
	afterAll(async () => await client.emulator.stop());
	return client;
}
