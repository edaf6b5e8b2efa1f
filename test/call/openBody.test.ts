import { buffer } from 'node:stream/consumers';

import { formats } from '../../nodes/VoiceSpeech/audio/format';
import type { Payload, PreparedRequest, Upload } from '../../nodes/VoiceSpeech/call/request';
import { checkAudio, openBody } from '../../nodes/VoiceSpeech/call/openBody';
import { CallTimeouts } from '../../nodes/VoiceSpeech/call/timeouts';
import { acceptedFormatsText, type Endpoint } from '../../nodes/VoiceSpeech/endpoint';
import {
	readAudioFile,
	audioFiles,
	createAudioSource,
	type AudioFile,
} from '../support/media/audioFiles';
import { computeSha256 } from '../support/servers/scriptedServer';

const speechToText: Endpoint = { path: '/ai/speech-to-text', input: 'audio', returns: 'json' };
const undocumented: Endpoint = { path: '/ai/amd', input: 'chosen', returns: 'any' };

/** The audio of the request body. */
async function openUpload(
	bytes: Buffer,
	name: string,
	{ endpoint = speechToText, formatCheck = 'reject', mimeType = 'application/octet-stream' } = {},
): Promise<Upload> {
	const audio = createAudioSource(bytes, { name, mimeType });
	const request = {
		endpoint,
		options: { fileFieldName: 'file', formatCheck },
		payload: { kind: 'audioForm', audio, fields: [] },
	} as unknown as PreparedRequest;
	const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
	try {
		const { body } = await openBody(request, timeouts, timeouts.signal);
		if (!('upload' in body)) throw new Error('The request has no audio');
		return body.upload;
	} finally {
		timeouts.finish();
	}
}

/** Unknown files may be audio, so speech to text and clone accept them too. */
const accepted = ['WAV', 'MP3', 'M4A', 'FLAC', ''];
const refused = audioFiles.filter(({ format }) => !accepted.includes(format));

const mimeType = 'audio/x-declared;rate=8000';

/** Type and extension of the part, by format (test/audio/format.test.ts has them in a snapshot). */
function describePart(format: string) {
	if (format === '') return { partType: mimeType, extension: '' };
	const found = formats.find(({ name }) => name === format);
	if (found === undefined) return { partType: 'text/plain', extension: '' };
	return { partType: found.mimeType, extension: `.${found.extensions[0]}` };
}

const sentFiles = audioFiles
	.filter(({ file }) => file !== 'empty.wav')
	.map((row) => ({
		...row,
		...describePart(row.format),
		endpoint: accepted.includes(row.format) ? speechToText : undocumented,
	}));

it.each(sentFiles)(
	'sends $file with name and type of its format, as declared if it is unknown ($note)',
	async ({ file, endpoint, partType, extension }) => {
		const upload = await openUpload(readAudioFile(file), 'voice.bin', { endpoint, mimeType });
		expect(upload).toMatchObject({ fileName: `voice${extension}`, mimeType: partType });
		expect(computeSha256(await buffer(upload.read()))).toBe(computeSha256(readAudioFile(file)));
	},
);

const isAudio = ({ format }: AudioFile) => /^(audio|video)/.test(describePart(format).partType);

describe('a file that the service does not accept', () => {
	it.each(refused.filter(isAudio))(
		'is refused before the call, with advice to convert it: $file, which is $format',
		async ({ file, format, name = file }) => {
			await expect(openUpload(readAudioFile(file), name)).rejects.toMatchObject({
				message: `The file '${name}' is ${format}, not ${acceptedFormatsText}`,
				description: expect.stringMatching(
					/^Use a recording in another format, or convert it.*set the option 'Format Check' to 'Off'/,
				),
			});
		},
	);

	// Nobody needs to send a letter as audio.
	it.each(refused.filter((row) => !isAudio(row)))(
		'is refused before the call, without advice to send it: $file, which is $format',
		async ({ file, format, name = file }) => {
			await expect(openUpload(readAudioFile(file), name)).rejects.toMatchObject({
				message: `The file '${name}' is not audio: its content is ${format}`,
				description: 'Check which file the previous step outputs.',
			});
		},
	);

	it('is refused even if it has no name', async () => {
		const message = 'The file is not audio: its content is HTML';
		await expect(openUpload(Buffer.from('<!DOCTYPE html>'), '')).rejects.toThrow(message);
	});

	it.each(
		['off', 'reject'].flatMap((formatCheck) => [
			{ formatCheck, name: '', message: 'The file is empty' },
			{ formatCheck, name: 'empty.wav', message: "The file 'empty.wav' is empty" },
		]),
	)(
		'is refused before the call if it is empty, with the check $formatCheck and the name "$name"',
		async ({ formatCheck, name, message }) => {
			await expect(openUpload(Buffer.alloc(0), name, { formatCheck })).rejects.toMatchObject({
				message,
				description: 'Check the step that creates it.',
			});
		},
	);
});

it.each<Payload>([
	{ kind: 'json', text: '{}' },
	{ kind: 'form', fields: [] },
])(
	'a request whose body is a $kind without audio passes the check of its audio',
	async (payload) => {
		const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
		const request = { endpoint: speechToText, payload } as PreparedRequest;
		await expect(checkAudio(request, timeouts, timeouts.signal)).resolves.toBeUndefined();
		timeouts.finish();
	},
);
