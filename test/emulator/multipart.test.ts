/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import FormData from 'form-data';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmulator, type RunningEmulator } from '../support/emulator';
import { fileParts, readAnswer, send, sendForm, type Answer, type Part } from './client';
import { wavHeader } from '../support/recordings';
import { wav } from './recordings';

const folder = mkdtempSync(path.join(tmpdir(), 'emulator-test-'));
let emulator: RunningEmulator;
let key: string;

beforeAll(async () => {
	emulator = await startEmulator([], { TMPDIR: folder });
	key = await emulator.createKey('sandbox');
});
afterAll(async () => {
	expect(readdirSync(folder)).toHaveLength(1);
	await emulator.stop();
	// The folder of the uploads goes with the emulator.
	expect(readdirSync(folder)).toEqual([]);
	rmSync(folder, { recursive: true });
});

const transcribe = async (parts: Part[]) => await sendForm(emulator, key, 'speech-to-text', parts);
const url = () => `${emulator.baseUrl}/ai/speech-to-text`;
const spooled = () => readdirSync(folder).flatMap((name) => readdirSync(path.join(folder, name)));
const sandboxBalance = async () =>
	(await emulator.api('GET', '/wallets')).sandbox.balance as number;
const lastCall = async () => (await emulator.api('GET', '/usage')).calls.at(-1);

/** Opens an upload of a WAV file with a given length, and sends its beginning. */
function beginUpload(dataBytes: number, headers: http.OutgoingHttpHeaders = {}) {
	const request = http.request(url(), {
		method: 'POST',
		agent: false,
		headers: { 'X-API-Key': key, 'Content-Type': 'multipart/form-data; boundary=b', ...headers },
	});
	request.write(
		'--b\r\nContent-Disposition: form-data; name="file"; filename="long.wav"\r\nContent-Type: audio/wav\r\n\r\n',
	);
	request.write(wavHeader(dataBytes, 48_000, 2));
	return request;
}

describe('reads what the package form-data writes', () => {
	test.each([
		'plain.wav',
		'Größe und „Maß“.wav',
		'録音 😀.wav',
		'with "quotes".wav',
		"it's; name=x, a=b.wav",
		'100% %41.wav',
		' spaces .wav',
	])('the file name %s', async (filename) => {
		const { json } = await transcribe([['file', wav(), { filename }]]);
		expect(json.recording.name).toBe(filename);
	});

	test('parts in any order, and parts that nobody asked for', async () => {
		const file: Part = ['file', wav(), { filename: 'a.wav' }];
		const language: Part = ['language', 'de'];
		const more: Part = ['speaker labels', 'yes'];
		const other: Part = ['cover', Buffer.alloc(300_000), { filename: 'cover.jpg' }];
		for (const parts of [
			[file, language, more, other],
			[language, file, other, more],
			[other, more, language, file],
		]) {
			const { status, json } = await transcribe(parts);
			expect([status, json.language, json.recording.bytes]).toEqual([200, 'de', wav().length]);
		}
	});

	test('bytes that look like a boundary, and every byte there is', async () => {
		const odd = Buffer.concat([
			wav({ seconds: 0.01 }),
			Buffer.from('\r\n--\r\n----------------------------\r\n\r\n--b--\r\n'),
			Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
			Buffer.from('\r\n'),
		]);
		const { json } = await transcribe([['file', odd, { filename: 'a.wav' }]]);
		expect(json.recording.sha256).toBe(createHash('sha256').update(odd).digest('hex'));
	});

	test('with a Content-Length as well as chunked', async () => {
		const form = new FormData();
		form.append('file', wav(), { filename: 'a.wav' });
		const body = form.getBuffer();
		const headers = { 'X-API-Key': key, ...form.getHeaders() };
		const known = await send(url(), { headers, body });
		expect(known.json.recording.bytes).toBe(wav().length);
		expect((await lastCall()).bytesIn).toBe(body.length);
		const request = http.request(url(), { method: 'POST', headers, agent: false });
		expect(request.getHeader('Content-Length')).toBeUndefined();
		for (const byte of body.subarray(0, 300)) request.write(Buffer.from([byte]));
		request.end(body.subarray(300));
		expect((await readAnswer(request)).json.recording).toEqual(known.json.recording);
	});

	test('what the browser’s FormData writes too', async () => {
		const form = new FormData();
		form.append('file', wav(), { filename: 'a.wav' });
		const own = new globalThis.FormData();
		own.append('file', new Blob([wav()]), 'a "b" %.wav');
		own.append('language', 'de');
		const answer = await fetch(url(), {
			method: 'POST',
			headers: { 'X-API-Key': key },
			body: own,
		});
		const json = (await answer.json()) as { language: string; recording: { name: string } };
		expect([json.language, json.recording.name]).toEqual(['de', 'a "b" %.wav']);
	});
});

describe('refuses, and debits nothing', () => {
	const refused = async (answer: Answer, status: number, words: string) => {
		expect([answer.status, answer.json.error.message]).toEqual([
			status,
			expect.stringContaining(words),
		]);
		expect(await lastCall()).toMatchObject({ status, credits: 0 });
	};

	test('a body that is not what it says', async () => {
		const before = await sandboxBalance();
		const raw = async (type: string, body: string) =>
			await send(url(), { headers: { 'X-API-Key': key, 'Content-Type': type }, body });
		const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
		await refused(await raw('multipart/form-data', 'x'), 400, 'not well-formed');
		await refused(await raw('multipart/form-data; boundary=b', 'x'), 400, 'not well-formed');
		await refused(await raw('multipart/form-data; boundary=b', `${head}RIFF`), 400, 'not well');
		await refused(await raw('multipart/form-data; boundary=b', ''), 400, 'missing');
		await refused(await raw('application/json', '{}'), 415, 'multipart/form-data');
		await refused(await raw('audio/wav', 'RIFF'), 415, 'multipart/form-data');
		expect(await sandboxBalance()).toBe(before);
	});

	test('a file that is missing, no file, or not the only one', async () => {
		const before = await sandboxBalance();
		await refused(await transcribe([['language', 'de']]), 400, 'there is "language"');
		await refused(await transcribe([['audio', wav(), { filename: 'a' }]]), 400, 'is "audio"');
		await refused(await transcribe([['file', 'RIFF']]), 400, 'with a file name');
		const file: Part = ['file', wav(), { filename: 'a.wav' }];
		await refused(await transcribe([file, file]), 400, 'only');
		await refused(await transcribe([file, ['language', 'x'.repeat(2e6)]]), 413, 'language');
		expect(await sandboxBalance()).toBe(before);
	});

	test('an upload that breaks off', async () => {
		const before = await sandboxBalance();
		for (const headers of [{}, { 'Content-Length': 5_000_000 }, {}, {}]) {
			const { id } = await lastCall();
			const request = beginUpload(4_000_000, headers);
			request.on('error', () => {});
			request.write(Buffer.alloc(1_000_000));
			while (spooled().length === 0) await delay(1);
			request.destroy();
			while ((await lastCall()).id === id) await delay(10);
			expect(await lastCall()).toMatchObject({ status: 499, credits: 0 });
		}
		// Break off at any moment: before the request, in its head, in the file.
		for (let after = 0; after < 20; after++) {
			const request = beginUpload(4_000_000);
			request.on('error', () => {});
			await delay(after / 4);
			request.destroy();
		}
		await delay(200);
		expect(spooled()).toEqual([]);
		expect(await sandboxBalance()).toBe(before);
	});

	test('an upload that is refused is read to its end, or answered early', async () => {
		const { key: narrow } = await emulator.api('POST', '/keys', {
			environment: 'sandbox',
			scopes: [],
		});
		const early = async (patience: number) => {
			const request = beginUpload(8_000_000, { 'X-API-Key': narrow });
			request.on('error', () => {});
			const answer = once(request, 'response').then(([message]) => message.statusCode as number);
			const first = await Promise.race([answer, delay(patience, 'nothing yet')]);
			request.end(Buffer.alloc(8_000_000));
			return [first, await answer];
		};
		expect(await early(300)).toEqual(['nothing yet', 403]);
		await emulator.api('PUT', '/settings', { refuseUploads: 'early' });
		expect(await early(5000)).toEqual([403, 403]);
		await emulator.api('PUT', '/settings', { refuseUploads: 'after' });
	});
});

test('a long upload does not grow the memory, and leaves no file', async () => {
	const megabytes = 256;
	const request = beginUpload(megabytes * 2 ** 20);
	const block = Buffer.alloc(2 ** 20);
	const hash = createHash('sha256').update(wavHeader(megabytes * 2 ** 20, 48_000, 2));
	const before = residentBytes();
	let most = before;
	for (let sent = 0; sent < megabytes; sent++) {
		hash.update(block);
		if (!request.write(block)) await once(request, 'drain');
		most = Math.max(most, residentBytes());
	}
	expect(spooled()).toHaveLength(1);
	request.end('\r\n--b--\r\n');
	const { status, json } = await readAnswer(request);
	expect(status).toBe(200);
	expect(json.recording).toMatchObject({
		bytes: megabytes * 2 ** 20 + 44,
		sha256: hash.digest('hex'),
		sample_rate: 48_000,
	});
	expect(most - before).toBeLessThan(100 * 2 ** 20);
	expect(spooled()).toEqual([]);
}, 60_000);

test('a recording with zeros after its end is measured in a few seconds', async () => {
	const file = Buffer.concat([wav({ seconds: 2 }), Buffer.alloc(16_000_000)]);
	const start = Date.now();
	const { status, json } = await transcribe([['file', file, { filename: 'a.wav' }]]);
	expect([status, json.recording.format]).toEqual([200, 'WAV']);
	expect(Date.now() - start).toBeLessThan(8_000);
});

test('no upload leaves a file behind', async () => {
	await transcribe(fileParts(wav()));
	await transcribe(fileParts(Buffer.from('no audio')));
	expect(spooled()).toEqual([]);
});

/** Memory that the emulator holds; 0 where the system does not tell. */
function residentBytes(): number {
	const status = `/proc/${emulator.pid}/status`;
	if (!existsSync(status)) return 0;
	return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
}
