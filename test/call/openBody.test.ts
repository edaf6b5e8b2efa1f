import { buffer } from 'node:stream/consumers';

import { formats } from '../../nodes/VoiceSpeech/audio/format';
import type { PreparedRequest, Upload } from '../../nodes/VoiceSpeech/call/request';
import { openBody } from '../../nodes/VoiceSpeech/call/openBody';
import { CallTimeouts } from '../../nodes/VoiceSpeech/call/timeouts';
import { acceptedFormatsText, type Endpoint } from '../../nodes/VoiceSpeech/endpoint';
import { readAudioFile, audioFiles, createAudioSource } from '../support/media/audioFiles';
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
function describePart(format: string): [type: string, extension: string] {
	if (format === '') return [mimeType, ''];
	const found = formats.find(({ name }) => name === format);
	return found ? [found.mimeType, `.${found.extensions[0]}`] : ['text/plain', ''];
}

const files = audioFiles.filter(({ file }) => file !== 'empty.wav');

it.each(files)(
	'sends $file with name and type of its format, as declared if it is unknown ($note)',
	async ({ file, format }) => {
		const endpoint = accepted.includes(format) ? speechToText : undocumented;
		const upload = await openUpload(readAudioFile(file), 'voice.bin', { endpoint, mimeType });
		const [type, extension] = describePart(format);
		expect(upload).toMatchObject({ fileName: `voice${extension}`, mimeType: type });
		expect(computeSha256(await buffer(upload.read()))).toBe(computeSha256(readAudioFile(file)));
	},
);

describe('a file that the service does not accept', () => {
	it.each(refused)(
		'is refused before the call: $file, which is $format',
		async ({ file, format, name = file }) => {
			const isAudio = /^(audio|video)/.test(describePart(format)[0]);
			const what = isAudio
				? `${format}, not ${acceptedFormatsText}`
				: `not audio: its content is ${format}`;
			// Nobody needs to send a letter as audio.
			const howTo = isAudio
				? /^Use a recording in another format, or convert it.*set the option 'Format Check' to 'Off'/
				: /^Check which file the previous step outputs\.$/;
			await expect(openUpload(readAudioFile(file), name)).rejects.toMatchObject({
				message: `The file '${name}' is ${what}`,
				description: expect.stringMatching(howTo),
			});
		},
	);

	it('is refused even if it has no name', async () => {
		const message = 'The file is not audio: its content is HTML';
		await expect(openUpload(Buffer.from('<!DOCTYPE html>'), '')).rejects.toThrow(message);
	});

	it.each(['off', 'reject'])(
		'is refused before the call if it is empty, with the check %s',
		async (formatCheck) => {
			for (const name of ['', 'empty.wav']) {
				await expect(openUpload(Buffer.alloc(0), name, { formatCheck })).rejects.toMatchObject({
					message: name === '' ? 'The file is empty' : "The file 'empty.wav' is empty",
					description: 'Check the step that creates it.',
				});
			}
		},
	);
});
