/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { send, Stage, type Part, type ServiceResponse } from './client';
import { wav, wavHeader } from '../support/recordings';

const folder = mkdtempSync(path.join(tmpdir(), 'emulator-test-'));
const stage = new Stage({ extraResponseFields: true }, { TMPDIR: folder });
afterAll(() => {
	// The emulator has ended, and deleted its folder of uploads.
	expect(readdirSync(folder)).toEqual([]);
	rmSync(folder, { recursive: true });
});

const url = () => `${stage.emulator.baseUrl}/ai/speech-to-text`;
const uploads = () => readdirSync(folder).flatMap((name) => readdirSync(path.join(folder, name)));
const file: Part = ['file', wav(), 'a.wav'];
const part =
	'--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n';

test('parts may come in any order, and unknown parts are ignored', async () => {
	const name = '録音 "1" 100%.wav';
	const parts: Part[] = [
		['cover', Buffer.alloc(300_000), 'cover.jpg'],
		['language', 'de'],
		['file', wav(), name],
	];
	const { json } = await stage.form('speech-to-text', parts);
	expect(json).toMatchObject({ language: 'de', recording: { name, bytes: wav().length } });
});

const raw = async (type: string, body: string) =>
	await send(url(), { headers: { 'X-API-Key': stage.key, 'Content-Type': type }, body });
const form = async (...parts: Part[]) => await stage.form('speech-to-text', parts);
const multipart = 'multipart/form-data; boundary=b';

test.each<[what: string, call: () => Promise<ServiceResponse>, status: number, words: string]>([
	['no end', async () => await raw(multipart, `${part}RIFF`), 400, 'not well-formed'],
	['JSON', async () => await raw('application/json', '{}'), 415, 'multipart/form-data'],
	['a file with another name', async () => await form(['audio', wav(), 'a']), 400, 'has "audio"'],
	['a file without a file name', async () => await form(['file', 'RIFF']), 400, 'with a file name'],
	['two files', async () => await form(file, file), 400, 'only one'],
	['a long field', async () => await form(file, ['language', 'x'.repeat(2e6)]), 413, 'language'],
])('a body with %s is refused, and no file is left', async (_what, call, status, words) => {
	const message = expect.stringContaining(words);
	expect(await call()).toMatchObject({ status, json: { error: { message } } });
	expect(uploads()).toEqual([]);
});

test('an upload that breaks off costs nothing, and leaves no file', async () => {
	const before = await stage.balances();
	const { id } = await stage.lastCall();
	const headers = { 'X-API-Key': stage.key, 'Content-Type': multipart };
	const request = http.request(url(), { method: 'POST', headers }).on('error', () => {});
	request.write(Buffer.concat([Buffer.from(part), wavHeader(4e6, 48_000, 2), Buffer.alloc(1e6)]));
	while (uploads().length === 0) await delay(1);
	request.destroy();
	while ((await stage.lastCall()).id === id || uploads().length > 0) await delay(10);
	expect(await stage.lastCall()).toMatchObject({ status: 499, credits: 0 });
	expect(await stage.balances()).toEqual(before);
});
