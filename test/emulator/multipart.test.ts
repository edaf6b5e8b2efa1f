/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readResponse, send, Stage, type Part, type ServiceResponse } from './client';
import { wav, wavHeader } from '../support/recordings';

const folder = mkdtempSync(path.join(tmpdir(), 'emulator-test-'));
afterAll(() => expect(readdirSync(folder)).toHaveLength(1));
const stage = new Stage([], { TMPDIR: folder }, { extraResponseFields: true });
afterAll(() => {
	// The emulator has ended, and deleted its folder of uploads.
	expect(readdirSync(folder)).toEqual([]);
	rmSync(folder, { recursive: true });
});

const transcribe = async (parts: Part[]) => await stage.form('speech-to-text', parts);
const url = () => `${stage.emulator.baseUrl}/ai/speech-to-text`;
const uploads = () => readdirSync(folder).flatMap((name) => readdirSync(path.join(folder, name)));
const file: Part = ['file', wav(), { filename: 'a.wav' }];

/** Opens an upload of a WAV file, and sends its beginning. */
function startUpload(dataBytes: number, headers: http.OutgoingHttpHeaders = {}) {
	const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
	const request = http.request(url(), {
		method: 'POST',
		agent: false,
		headers: { 'X-API-Key': stage.key, ...type, ...headers },
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

	test('parts in any order, and unknown parts', async () => {
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
			wav(0.01),
			Buffer.from('\r\n--\r\n----------------------------\r\n\r\n--b--\r\n'),
			Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
			Buffer.from('\r\n'),
		]);
		const { json } = await transcribe([['file', odd, { filename: 'a.wav' }]]);
		expect(json.recording.sha256).toBe(createHash('sha256').update(odd).digest('hex'));
	});

	test('what a browser’s FormData writes, too', async () => {
		const body = new FormData();
		body.append('file', new Blob([wav()]), 'a "b" %.wav');
		body.append('language', 'de');
		const headers = { 'X-API-Key': stage.key };
		const response = await fetch(url(), { method: 'POST', headers, body });
		const expected = { language: 'de', recording: { name: 'a "b" %.wav' } };
		expect(await response.json()).toMatchObject(expected);
	});
});

describe('refuses, and debits nothing', () => {
	let before: [number, number];
	beforeAll(async () => (before = await stage.balances()));
	afterEach(async () => {
		expect(await stage.balances()).toEqual(before);
		expect(uploads()).toEqual([]);
	});

	const expectRefused = async (response: ServiceResponse, status: number, words: string) => {
		const message = expect.stringContaining(words);
		expect([response.status, response.json.error.message]).toEqual([status, message]);
		expect(await stage.lastCall()).toMatchObject({ status, credits: 0 });
	};
	const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';

	test.each([
		['multipart/form-data', 'x', 400, 'not well-formed'],
		['multipart/form-data; boundary=b', 'x', 400, 'not well-formed'],
		['multipart/form-data; boundary=b', `${head}RIFF`, 400, 'not well-formed'],
		['multipart/form-data; boundary=b', '', 400, 'missing'],
		['application/json', '{}', 415, 'multipart/form-data'],
		['audio/wav', 'RIFF', 415, 'multipart/form-data'],
	])('%s with %j', async (type, body, status, words) => {
		const headers = { 'X-API-Key': stage.key, 'Content-Type': type };
		await expectRefused(await send(url(), { headers, body }), status, words);
	});

	test.each<[string, Part[], number, string]>([
		['no file', [['language', 'de']], 400, 'has "language"'],
		['a file with another name', [['audio', wav(), { filename: 'a' }]], 400, 'has "audio"'],
		['a file without a file name', [['file', 'RIFF']], 400, 'with a file name'],
		['two files', [file, file], 400, 'only one'],
		['a long field', [file, ['language', 'x'.repeat(2e6)]], 413, 'language'],
	])('%s', async (_what, parts, status, words) => {
		await expectRefused(await transcribe(parts), status, words);
	});

	test('an upload that breaks off', async () => {
		for (const headers of [{}, { 'Content-Length': 5_000_000 }]) {
			const { id } = await stage.lastCall();
			const request = startUpload(4_000_000, headers).on('error', () => {});
			request.write(Buffer.alloc(1_000_000));
			while (uploads().length === 0) await delay(1);
			request.destroy();
			while ((await stage.lastCall()).id === id) await delay(10);
			expect(await stage.lastCall()).toMatchObject({ status: 499, credits: 0 });
		}
	});

	test('a refused upload gets its response after the end of the body, or at once', async () => {
		const narrow = await stage.emulator.createKey('sandbox', []);
		const upload = async (patienceMs: number) => {
			const request = startUpload(8_000_000, { 'X-API-Key': narrow }).on('error', () => {});
			const status = once(request, 'response').then(([message]) => message.statusCode as number);
			const first = await Promise.race([status, delay(patienceMs, 'nothing yet')]);
			request.end(Buffer.alloc(8_000_000));
			return [first, await status];
		};
		expect(await upload(300)).toEqual(['nothing yet', 403]);
		await stage.withSettings({ refuseUploads: 'early' }, async () => {
			expect(await upload(5000)).toEqual([403, 403]);
		});
	});
});

test('a long upload does not grow the memory, and leaves no file', async () => {
	const megabytes = 256;
	const request = startUpload(megabytes * 2 ** 20);
	const before = residentBytes();
	let most = before;
	for (let sent = 0; sent < megabytes; sent++) {
		if (!request.write(Buffer.alloc(2 ** 20))) await once(request, 'drain');
		most = Math.max(most, residentBytes());
	}
	request.end('\r\n--b--\r\n');
	const { json } = await readResponse(request);
	expect(json.recording).toMatchObject({ bytes: megabytes * 2 ** 20 + 44, sample_rate: 48_000 });
	expect(most - before).toBeLessThan(100 * 2 ** 20);
	expect(uploads()).toEqual([]);
}, 60_000);

test('a recording with zeros after its end is measured in a few seconds', async () => {
	const start = Date.now();
	const zeros = Buffer.concat([wav(2), Buffer.alloc(16_000_000)]);
	const { status, json } = await stage.transcribe(zeros);
	expect([status, json.recording.format]).toEqual([200, 'WAV']);
	expect(Date.now() - start).toBeLessThan(8_000);
});

/** Resident memory of the emulator; 0 on systems without /proc. */
function residentBytes(): number {
	const status = `/proc/${stage.emulator.pid}/status`;
	if (!existsSync(status)) return 0;
	return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) * 1024;
}
