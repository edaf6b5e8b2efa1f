/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import FormData from 'form-data';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startEmulator, type RunningEmulator } from '../support/emulator';

export type ServiceResponse = Awaited<ReturnType<typeof readResponse>>;

export type Part = [name: string, value: string | Buffer, options?: FormData.AppendOptions];

/** Sends exactly this request. */
export async function send(
	url: string,
	options: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string | Buffer } = {},
) {
	const { method = 'POST', headers, body } = options;
	const request = http.request(url, { method, headers, agent: false });
	request.end(body);
	return await readResponse(request);
}

async function readResponse(request: http.ClientRequest) {
	const [message] = (await once(request, 'response')) as [IncomingMessage];
	const body = await buffer(message);
	const text = body.toString();
	const isJson = text !== '' && /json/.test(message.headers['content-type'] ?? '');
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests know what they asked for
	const json: any = isJson ? JSON.parse(text) : undefined;
	return { status: message.statusCode ?? 0, headers: message.headers, body, text, json };
}

export async function sendJson(
	{ baseUrl }: RunningEmulator,
	key: string,
	operation: string,
	body: unknown,
) {
	return await send(`${baseUrl}/ai/${operation}`, {
		headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** Sends parts with the package `form-data`, chunked: without Content-Length. */
export async function sendForm(
	{ baseUrl }: RunningEmulator,
	key: string,
	operation: string,
	parts: Part[],
) {
	const form = new FormData();
	for (const [name, value, options] of parts) form.append(name, value, options);
	const headers = { 'X-API-Key': key, ...form.getHeaders() };
	const options = { method: 'POST', headers, agent: false };
	const request = http.request(`${baseUrl}/ai/${operation}`, options);
	form.pipe(request);
	return await readResponse(request);
}

/** The usual parts of an upload. */
export function fileParts(file: Buffer, fields: Record<string, string> = {}): Part[] {
	return [
		['file', file, { filename: 'recording.wav', contentType: 'audio/wav' }],
		...Object.entries(fields).map(([name, value]): Part => [name, value]),
	];
}

/** An emulator for all tests of a file, with a sandbox key that has all scopes. */
export class Stage {
	emulator!: RunningEmulator;

	key!: string;

	constructor(args: string[] = [], env: NodeJS.ProcessEnv = {}, settings: object = {}) {
		beforeAll(async () => {
			this.emulator = await startEmulator(args, env);
			this.key = await this.emulator.createKey('sandbox');
			await this.set(settings);
		});
		afterAll(async () => await this.emulator.stop());
	}

	api = async (method: string, path: string, body?: unknown) =>
		await this.emulator.api(method, path, body);

	set = async (changes: object) => await this.api('PUT', '/settings', changes);

	/** Runs a task with other settings, and restores them. */
	async withSettings(changes: object, task: () => Promise<void>): Promise<void> {
		const before = await this.api('GET', '/settings');
		await this.set(changes);
		try {
			await task();
		} finally {
			await this.set(before);
		}
	}

	json = async (operation: string, body: unknown, key = this.key) =>
		await sendJson(this.emulator, key, operation, body);

	form = async (operation: string, parts: Part[], key = this.key) =>
		await sendForm(this.emulator, key, operation, parts);

	transcribe = async (file: Buffer, fields?: Record<string, string>) =>
		await this.form('speech-to-text', fileParts(file, fields));

	/** Clones a voice, and returns its id. */
	async clone(sample: Buffer, name = 'Anna'): Promise<string> {
		const { json } = await this.form('voice-clone', fileParts(sample, { name }));
		return (json as { voice_id: string }).voice_id;
	}

	/** Balances of the sandbox and the live wallet. */
	async balances(): Promise<[number, number]> {
		const { sandbox, live } = await this.api('GET', '/wallets');
		return [sandbox.balance, live.balance];
	}

	lastCall = async () => (await this.api('GET', '/usage')).calls.at(-1);
}
