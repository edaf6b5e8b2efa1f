/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { send, Stage, type Part, type ServiceResponse } from './client';
import { wav, wavHeader } from '../support/recordings';

const folder = mkdtempSync(path.join(tmpdir(), 'emulator-test-'));
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

test('parts in any order, and unknown parts', async () => {
	const name = '録音 "1" 100%.wav';
	const other: Part = ['cover', Buffer.alloc(300_000), { filename: 'cover.jpg' }];
	const { json } = await transcribe([
		other,
		['language', 'de'],
		['file', wav(), { filename: name }],
	]);
	expect(json).toMatchObject({ language: 'de', recording: { name, bytes: wav().length } });
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
		['multipart/form-data; boundary=b', `${head}RIFF`, 400, 'not well-formed'],
		['multipart/form-data; boundary=b', '', 400, 'missing'],
		['application/json', '{}', 415, 'multipart/form-data'],
	])('%s with %j', async (type, body, status, words) => {
		const headers = { 'X-API-Key': stage.key, 'Content-Type': type };
		await expectRefused(await send(url(), { headers, body }), status, words);
	});

	test.each<[string, Part[], number, string]>([
		['a file with another name', [['audio', wav(), { filename: 'a' }]], 400, 'has "audio"'],
		['a file without a file name', [['file', 'RIFF']], 400, 'with a file name'],
		['two files', [file, file], 400, 'only one'],
		['a long field', [file, ['language', 'x'.repeat(2e6)]], 413, 'language'],
	])('%s', async (_what, parts, status, words) => {
		await expectRefused(await transcribe(parts), status, words);
	});

	test('an upload that breaks off', async () => {
		const { id } = await stage.lastCall();
		const request = startUpload(4_000_000).on('error', () => {});
		request.write(Buffer.alloc(1_000_000));
		while (uploads().length === 0) await delay(1);
		request.destroy();
		while ((await stage.lastCall()).id === id || uploads().length > 0) await delay(10);
		expect(await stage.lastCall()).toMatchObject({ status: 499, credits: 0 });
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
