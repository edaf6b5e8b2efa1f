import { formats } from '../../nodes/VoiceSpeech/audio/format';
import type { Endpoint } from '../../nodes/VoiceSpeech/endpoint';
import type { PreparedRequest } from '../../nodes/VoiceSpeech/execution/item';
import { openBody } from '../../nodes/VoiceSpeech/execution/requestBody';
import { CallTimeouts } from '../../nodes/VoiceSpeech/execution/timeouts';
import { audioFile, audioFiles, sourceOf } from '../support/audioFiles';
import { sha256 } from '../support/scriptedServer';
import { id3Tag } from '../support/tags';

const speechToText: Endpoint = { path: '/ai/speech-to-text', body: 'audio', returns: 'json' };
const undocumented: Endpoint = { path: '/ai/amd', body: 'chosen', returns: 'any' };

/** The file in the request body. */
async function upload(
	bytes: Buffer,
	name: string,
	{ endpoint = speechToText, formatCheck = 'reject', mimeType = 'application/octet-stream' } = {},
): Promise<File> {
	const audio = sourceOf(bytes, { name, mimeType });
	const request = {
		options: { fileFieldName: 'file', formatCheck },
		payload: { kind: 'multipart', audio, isFromUrl: false, fields: [] },
	} as unknown as PreparedRequest;
	const { body } = await openBody(request, endpoint, new CallTimeouts({ waiting: 0 }, undefined));
	return (body as FormData).get('file') as File;
}

async function sentBytes(file: File): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of file.stream() as unknown as AsyncIterable<Uint8Array>)
		chunks.push(chunk);
	return Buffer.concat(chunks);
}

/** Type and usual extension of the part, by format (test/audio/format.test.ts has them in a snapshot). */
function partOf(format: string): [type: string, extension: string] {
	const { mimeType = 'text/plain', extensions = ['txt'] } =
		formats.find(({ name }) => name === format) ?? {};
	return [mimeType, extensions[0] ?? ''];
}

const isEmpty = (file: string) => audioFile(file).length === 0;

const accepted = audioFiles.filter(({ format }) => /^(WAV|MP3|M4A|FLAC)$/.test(format));
const unknown = audioFiles.filter(({ file, format }) => format === '' && !isEmpty(file));
const refused = audioFiles.filter((row) => !accepted.includes(row) && row.format !== '');

describe('name and type of the part are those of the format', () => {
	it.each(accepted)('$file ($note)', async ({ file, format }) => {
		const [type, extension] = partOf(format);
		const part = await upload(audioFile(file), 'voice.ogg');
		expect(part).toMatchObject({ name: `voice.${extension}`, type });
		expect(sha256(await sentBytes(part))).toBe(sha256(audioFile(file)));
		expect((await upload(audioFile(file), '')).name).toBe(`recording.${extension}`);
	});

	it.each(audioFiles.filter(({ format }) => format !== ''))(
		'$file, undocumented operation: its extension stays if it fits',
		async ({ file, name = file, format }) => {
			const [type, usual] = partOf(format);
			const base = name.slice(0, name.lastIndexOf('.'));
			const own = name.slice(base.length + 1);
			const fits = /^(mp4|m4b|3gp|aifc|mka|tgz|avif|txt|csv|srt|base64)$/.test(own);
			const part = await upload(audioFile(file), name, { endpoint: undocumented });
			expect(part).toMatchObject({ name: `${base}.${fits ? own : usual}`, type });
		},
	);
});

describe('what is unknown may be audio', () => {
	it.each(unknown)('$file ($note) keeps its name and type', async ({ file }) => {
		const mimeType = 'audio/x-unknown;rate=8000';
		for (const name of ['voice.mp3', 'voice.raw', 'voice']) {
			const part = await upload(audioFile(file), name, { mimeType });
			expect(part).toMatchObject({ name, type: mimeType });
			expect(sha256(await sentBytes(part))).toBe(sha256(audioFile(file)));
		}
	});

	it('FLAC behind more than 1 MiB of tags', async () => {
		const bytes = Buffer.concat([id3Tag(2e6), audioFile('mono.flac')]);
		const part = await upload(bytes, 'call.flac', { mimeType: 'audio/x-flac' });
		expect(part).toMatchObject({ name: 'call.flac', type: 'audio/x-flac' });
		expect(sha256(await sentBytes(part))).toBe(sha256(bytes));
	});
});

describe('what the service does not accept is refused before the call', () => {
	it.each(refused)('$file: $format', async ({ file, format, name = file }) => {
		const howTo = !/^(audio|video)/.test(partOf(format)[0])
			? 'This is not an audio file: check which file the previous step outputs.'
			: 'Convert it first. On n8n Cloud, use';
		await expect(upload(audioFile(file), name)).rejects.toMatchObject({
			message: `The file '${name}' is ${format}, not WAV, MP3, M4A or FLAC`,
			description: expect.stringMatching(
				RegExp(`^${howTo}.*set the option 'Format Check' to 'Off'`),
			),
		});
	});

	it('a file without a name', async () => {
		const message = 'The file is HTML, not WAV, MP3, M4A or FLAC';
		await expect(upload(Buffer.from('<!DOCTYPE html>'), '')).rejects.toThrow(message);
	});

	it.each(['off', 'reject'])('an empty file, with the check %s', async (formatCheck) => {
		for (const name of ['', 'empty.wav']) {
			await expect(upload(Buffer.alloc(0), name, { formatCheck })).rejects.toMatchObject({
				message: name === '' ? 'The file is empty' : "The file 'empty.wav' is empty",
				description: 'Check the step that creates it.',
			});
		}
	});
});
