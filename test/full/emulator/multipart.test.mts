import MultipartForm from 'form-data';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

import { startEmulatorProcess } from '../../../dev/emulator/emulatorProcess.mts';
import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import {
	send,
	sendMultipart,
	useEmulator,
	type FormPart,
	type ServiceResponse,
} from '../../support/emulatorClient.mts';
import { createRange } from '../../support/calls.mts';
import { createWav, createWavHeader } from '../../support/media/recordings.mts';

const folder = mkdtempSync(path.join(tmpdir(), 'emulator-test-'));
const env = {
	TMPDIR: folder,
	// Otherwise tsx keeps compiled files in this folder.
	TSX_DISABLE_CACHE: '1',
};
const client = useEmulator({ extraResponseFields: true }, env);
afterAll(() => rmSync(folder, { recursive: true }));

const createUrl = () => `${client.emulator.baseUrl}/ai/speech-to-text`;
const listUploads = () =>
	readdirSync(folder).flatMap((name) => readdirSync(path.join(folder, name)));
const file: FormPart = { name: 'file', value: createWav(), fileName: 'a.wav' };
const part =
	'--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n';

it('parts may come in any order, and unknown parts are ignored', async () => {
	const name = '録音 "1" 100%.wav';
	const parts: FormPart[] = [
		{ name: 'cover', value: Buffer.alloc(300_000), fileName: 'cover.jpg' },
		{ name: 'language', value: 'de' },
		{ name: 'file', value: createWav(), fileName: name },
	];
	const { json } = await client.callWithForm('speech-to-text', parts);
	expect(json).toMatchObject({ language: 'de', recording: { name, bytes: createWav().length } });
});

/** The audio in pieces, as a file or a microphone gives it. */
const splitAudio = (audio: Buffer) =>
	Readable.from(createRange(10).map((index) => audio.subarray(index * 1_000, (index + 1) * 1_000)));

describe('another program that streams an upload', () => {
	const audio = createWav(1).subarray(0, 10_000);

	it.each([
		{ what: 'with Content-Length', length: 'known' as const, options: { knownLength: 10_000 } },
		{ what: 'in chunks', length: 'unknown' as const, options: {} },
	])('gets the response for exactly its file $what', async ({ length, options }) => {
		const upload = new MultipartForm();
		upload.append('language', 'de');
		upload.append('file', splitAudio(audio), { filename: 'a.wav', ...options });
		const { status, json } = await sendMultipart(createUrl(), client.key, upload, length);
		const sha256 = createHash('sha256').update(audio).digest('hex');
		expect(status).toBe(200);
		expect(json).toMatchObject({ language: 'de', recording: { bytes: 10_000, sha256 } });
	});
});

const sendRaw = async (type: string, body: string) =>
	await send(createUrl(), { headers: { 'X-API-Key': client.key, 'Content-Type': type }, body });
const sendForm = async (...parts: FormPart[]) => await client.callWithForm('speech-to-text', parts);
const multipart = 'multipart/form-data; boundary=b';

it.each<{ what: string; call: () => Promise<ServiceResponse>; status: number; words: string }>([
	{
		what: 'no end',
		call: async () => await sendRaw(multipart, `${part}RIFF`),
		status: 400,
		words: 'not well-formed',
	},
	{
		what: 'JSON',
		call: async () => await sendRaw('application/json', '{}'),
		status: 415,
		words: 'multipart/form-data',
	},
	{
		what: 'a file with another name',
		call: async () => await sendForm({ name: 'audio', value: createWav(), fileName: 'a' }),
		status: 400,
		words: 'has "audio"',
	},
	{
		what: 'a file without a file name',
		call: async () => await sendForm({ name: 'file', value: 'RIFF' }),
		status: 400,
		words: 'with a file name',
	},
	{
		what: 'two files',
		call: async () => await sendForm(file, file),
		status: 400,
		words: 'only one',
	},
	{
		what: 'a long field',
		call: async () => await sendForm(file, { name: 'language', value: 'x'.repeat(2e6) }),
		status: 413,
		words: 'language',
	},
])('a body with $what is refused, and no file is left', async ({ call, status, words }) => {
	const message = expect.stringContaining(words);
	expect(await call()).toMatchObject({ status, json: { error: { message } } });
	expect(listUploads()).toEqual([]);
});

it('an upload that breaks off costs nothing, and leaves no file', async () => {
	const before = await client.readBalances();
	const countCalls = async () =>
		(await client.callApi<{ calls: object[] }>('GET', '/usage')).calls.length;
	const earlier = await countCalls();
	const headers = { 'X-API-Key': client.key, 'Content-Type': multipart };
	const request = http.request(createUrl(), { method: 'POST', headers }).on('error', () => {});
	request.write(
		Buffer.concat([Buffer.from(part), createWavHeader(4e6, 48_000, 2), Buffer.alloc(1e6)]),
	);
	await waitUntil(() => listUploads().length > 0);
	request.destroy();
	const isRecorded = async () => (await countCalls()) > earlier;
	await waitUntil(isRecorded, { intervalMs: 10 });
	await waitUntil(() => listUploads().length === 0);
	expect(await client.readLastCall()).toMatchObject({ status: 499, credits: 0 });
	expect(await client.readBalances()).toEqual(before);
});

it('the emulator deletes its folder of uploads when it ends', async () => {
	const before = readdirSync(folder);
	const other = await startEmulatorProcess([], env);
	try {
		expect(readdirSync(folder)).toHaveLength(before.length + 1);
	} finally {
		await other.stop();
	}
	expect(readdirSync(folder)).toEqual(before);
});
