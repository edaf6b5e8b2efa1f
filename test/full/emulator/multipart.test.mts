import MultipartForm from 'form-data';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { waitUntil } from '../../../dev/lib/waitUntil.mts';
import { send, useEmulator } from '../../support/emulatorClient.mts';
import { createForm } from '../../support/createForm.mts';
import { computeSha256 } from '../../support/servers/scriptedServer.mts';
import { createWav, createWavHeader } from '../../support/media/recordings.mts';
import { createTestFolder } from '../../support/testFolder.mts';

const folder = createTestFolder();
// tsx would keep compiled files in this folder.
const env = { TMPDIR: folder, TSX_DISABLE_CACHE: '1' };
const client = useEmulator({ extraResponseFields: true }, env);

const createUrl = () => `${client.emulator.baseUrl}/ai/speech-to-text`;
const listUploads = () =>
	readdirSync(folder).flatMap((name) => readdirSync(path.join(folder, name)));
const file = new File([createWav()], 'a.wav');
const part =
	'--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n';

it('parts may come in any order, and unknown parts are ignored', async () => {
	const name = '録音 "1" 100%.wav';
	const form = createForm({
		cover: new File([Buffer.alloc(300_000)], 'cover.jpg'),
		language: 'de',
		file: new File([createWav()], name),
	});
	const { json } = await client.call('speech-to-text', form);
	expect(json).toMatchObject({ language: 'de', recording: { name, bytes: createWav().length } });
});

/** The package form-data, which has no code in common with n8n's client, sends the upload as another program would. */
it.each([{ length: 10_000 }, { length: undefined }])(
	'another program that streams an upload with the Content-Length $length gets its response',
	async ({ length }) => {
		const audio = createWav(1).subarray(0, 10_000);
		const upload = new MultipartForm();
		upload.append('file', Readable.from([audio]), { filename: 'a.wav', knownLength: length });
		const headers: http.OutgoingHttpHeaders = { ...upload.getHeaders(), 'X-API-Key': client.key };
		if (length !== undefined) headers['Content-Length'] = upload.getLengthSync();
		const request = http.request(createUrl(), { method: 'POST', headers });
		upload.pipe(request);
		const [response] = (await once(request, 'response')) as [http.IncomingMessage];
		expect(response.statusCode).toBe(200);
		const recording = { bytes: 10_000, sha256: computeSha256(audio) };
		expect(JSON.parse(await text(response))).toMatchObject({ recording });
	},
);

const multipart = 'multipart/form-data; boundary=b';

it.each<[what: string, status: number, words: string, body: FormData | string, type?: string]>([
	['no end', 400, 'not well-formed', `${part}RIFF`, multipart],
	['JSON', 415, 'multipart/form-data', '{}', 'application/json'],
	['a file with another name', 400, 'has "audio"', createForm({ audio: file })],
	['a file without a file name', 400, 'with a file name', createForm({ file: 'RIFF' })],
	['two files', 400, 'only one', createForm({ file: [file, file] })],
	['a long field', 413, 'language', createForm({ file, language: 'x'.repeat(2e6) })],
])('a body with %s is refused, and no file is left', async (_, status, words, body, type = '') => {
	const headers = { 'X-API-Key': client.key, ...(type && { 'Content-Type': type }) };
	const message = expect.stringContaining(words);
	const response = await send(createUrl(), { headers, body });
	expect(response).toMatchObject({ status, json: { error: { message } } });
	expect(listUploads()).toEqual([]);
});

it('an upload that breaks off costs nothing, and leaves no file', async () => {
	const before = await client.readBalances();
	const earlier = await client.readLastCall();
	const headers = { 'X-API-Key': client.key, 'Content-Type': multipart };
	const request = http.request(createUrl(), { method: 'POST', headers }).on('error', () => {});
	request.write(
		Buffer.concat([Buffer.from(part), createWavHeader(4e6, 48_000, 2), Buffer.alloc(1e6)]),
	);
	await waitUntil(() => listUploads().length > 0);
	request.destroy();
	const isRecorded = async () => (await client.readLastCall())?.id !== earlier?.id;
	await waitUntil(isRecorded, { intervalMs: 10 });
	await waitUntil(() => listUploads().length === 0);
	expect(await client.readLastCall()).toMatchObject({ status: 499, credits: 0 });
	expect(await client.readBalances()).toEqual(before);
});
