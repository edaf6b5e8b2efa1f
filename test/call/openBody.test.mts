import { buffer } from 'node:stream/consumers';

import { formats } from '../../nodes/VoiceSpeech/audio/format.ts';
import type { AudioSource } from '../../nodes/VoiceSpeech/audio/reader.ts';
import type { Payload, PreparedRequest, Upload } from '../../nodes/VoiceSpeech/call/request.ts';
import { checkAudio, openBody } from '../../nodes/VoiceSpeech/call/openBody.ts';
import { CallTimeouts } from '../../nodes/VoiceSpeech/call/timeouts.ts';
import {
	acceptedFormats,
	acceptedFormatsText,
	type Endpoint,
} from '../../nodes/VoiceSpeech/endpoint.ts';
import {
	readAudioFile,
	audioFiles,
	fileConvertedToWav,
	createAudioSource,
	type AudioFile,
} from '../support/media/audioFiles.mts';
import { createWavHeader } from '../support/media/recordings.mts';
import { createId3Tag } from '../support/media/tags.mts';
import { computeSha256 } from '../support/servers/scriptedServer.mts';

const speechToText: Endpoint = { path: '/ai/speech-to-text', input: 'audio', returns: 'json' };
const undocumented: Endpoint = { path: '/ai/amd', input: 'chosen', returns: 'any' };

/** The time limits of the uploads that a test has opened. They stay until it has read them. */
const opened: CallTimeouts[] = [];

afterEach(() => {
	for (const timeouts of opened.splice(0)) timeouts.finish();
});

/** The audio of the request body. */
async function openUpload(
	bytes: Buffer,
	name: string,
	{
		endpoint = speechToText,
		formatCheck = 'reject',
		convertAudio = false,
		mimeType = 'application/octet-stream',
		isRemote = false,
	} = {},
): Promise<Upload> {
	const audio: AudioSource = {
		isRemote,
		identity: [],
		check: async () => {},
		// A conversion opens the audio twice.
		open: async (signal) => await createAudioSource(bytes, { name, mimeType }).open(signal),
	};
	const request = {
		endpoint,
		options: { fileFieldName: 'file', formatCheck, convertAudio },
		payload: { kind: 'audioForm', audio, fields: [] },
	} as unknown as PreparedRequest;
	const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
	opened.push(timeouts);
	const { body } = await openBody(request, timeouts, timeouts.signal);
	if (!('upload' in body)) throw new Error('The request has no audio');
	return body.upload;
}

/** Unknown files may be audio, so speech to text and clone accept them too. */
const accepted: string[] = [...acceptedFormats, ''];
const rejected = audioFiles.filter(({ format }) => !accepted.includes(format));

const mimeType = 'audio/x-declared;rate=8000';

/** Type and extension of the part, by format (test/audio/format.test.mts has them in a snapshot). */
function describePart(format: string) {
	if (format === '') return { partType: mimeType, extension: '' };
	const found = formats.find(({ name }) => name === format);
	if (found === undefined) return { partType: 'text/plain', extension: '' };
	return { partType: found.mimeType, extension: `.${found.extensions[0]}` };
}

const sentFiles = audioFiles
	.filter(({ file }) => !['empty.wav', 'header-only.wav', 'one-byte.wav'].includes(file))
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
	it.each(rejected.filter(isAudio))(
		'is rejected before the call, with advice to convert it: $file, which is $format',
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
	it.each(rejected.filter((row) => !isAudio(row)))(
		'is rejected before the call, without advice to send it: $file, which is $format',
		async ({ file, format, name = file }) => {
			await expect(openUpload(readAudioFile(file), name)).rejects.toMatchObject({
				message: `The file '${name}' is not audio: its content is ${format}`,
				description: 'Check which file the previous step outputs.',
			});
		},
	);

	it('is rejected even if it has no name', async () => {
		const message = 'The file is not audio: its content is HTML';
		await expect(openUpload(Buffer.from('<!DOCTYPE html>'), '')).rejects.toThrow(message);
	});

	it.each(
		['off', 'reject'].flatMap((formatCheck) => [
			{ formatCheck, name: '', message: 'The file is empty' },
			{ formatCheck, name: 'empty.wav', message: "The file 'empty.wav' is empty" },
		]),
	)(
		'is rejected before the call if it is empty, with the check $formatCheck and the name "$name"',
		async ({ formatCheck, name, message }) => {
			await expect(openUpload(Buffer.alloc(0), name, { formatCheck })).rejects.toMatchObject({
				message,
				description: 'Check the step that creates it.',
			});
		},
	);
});

const piece = Buffer.from('a3978100008008 9e9e481b'.replace(' ', ''), 'hex');
const cluster = Buffer.from('1f43b675 01ffffffffffffff e78100'.replaceAll(' ', ''), 'hex');

describe('a file without the beginning of its format', () => {
	it.each([
		{ name: 'a.webm', type: '', bytes: piece, found: 'a WebM' },
		{ name: 'a.bin', type: '', bytes: cluster, found: 'a WebM' },
		{ name: 'a.mkv', type: '', bytes: cluster, found: 'a Matroska' },
		{ name: 'a', type: 'video/webm;codecs=vp9', bytes: piece, found: 'a WebM' },
		{ name: 'a.OGA', type: '', bytes: piece, found: 'an OGG' },
		{ name: 'a.opus', type: '', bytes: piece, found: 'an OGG' },
		{ name: 'a.enc', type: 'audio/ogg; codecs=opus', bytes: piece, found: 'an OGG' },
		{ name: 'a.mp4', type: '', bytes: piece, found: 'an MP4' },
		{ name: 'a.m4a', type: 'audio/mp4', bytes: piece, found: 'an M4A' },
		{ name: 'a', type: 'audio/x-m4a', bytes: piece, found: 'an M4A' },
		{ name: 'a.flac', type: '', bytes: piece, found: 'a FLAC' },
		{ name: 'a.wav', type: '', bytes: piece, found: 'a WAV' },
		{ name: 'a', type: 'audio/vnd.wave', bytes: piece, found: 'a WAV' },
	])('is rejected: $name, declared as "$type"', async ({ name, type, bytes, found }) => {
		const message = `The file '${name}' is not ${found} file: its beginning is missing`;
		const declared = { mimeType: type, convertAudio: true };
		await expect(openUpload(bytes, name, declared)).rejects.toMatchObject({
			message,
			description: expect.stringMatching(/^Check whether it plays\. .*'Format Check' to 'Off'\.$/),
		});
		const opening = openUpload(bytes, name, { ...declared, endpoint: undocumented });
		await expect(opening).rejects.toMatchObject({
			message,
			description: expect.stringContaining("turn off the option 'Convert Audio'"),
		});
	});

	it.each([
		{ what: 'MP3', name: 'a.mp3', mimeType: 'audio/mpeg', bytes: piece },
		{ what: 'raw samples', name: 'a.raw', mimeType: 'audio/L16;rate=8000', bytes: piece },
		{ what: 'what is not declared', name: 'a', mimeType: '', bytes: piece },
		{
			what: 'a format after a tag of more than 1 MiB',
			name: 'a.flac',
			mimeType: 'audio/flac',
			bytes: Buffer.concat([createId3Tag(1024 * 1024), readAudioFile('mono.flac')]),
		},
		{ what: 'another format', name: 'a.wav', mimeType: '', bytes: readAudioFile('cbr.mp3') },
	])('is not $what', async ({ name, bytes, ...declared }) => {
		const upload = await openUpload(bytes, name, declared);
		expect(await buffer(upload.read())).toEqual(bytes);
	});

	it.each([
		{ option: 'Format Check', settings: { formatCheck: 'off' } },
		{ option: 'Convert Audio', settings: { endpoint: undocumented, convertAudio: false } },
	])("is sent if the option '$option' is off", async ({ settings }) => {
		const upload = await openUpload(piece, 'a.webm', settings);
		expect(await buffer(upload.read())).toEqual(piece);
	});
});

describe('a WAV file without samples', () => {
	const header = createWavHeader(32_000, 16_000, 1);
	const finished = Buffer.concat([
		createWavHeader(0, 16_000, 1),
		Buffer.from('LIST\x04\0\0\0INFO'),
	]);
	finished.writeUInt32LE(finished.length - 8, 4);

	it.each([
		{ what: 'a header that promises samples', bytes: header },
		{ what: 'a header that promises none', bytes: createWavHeader(0, 16_000, 1) },
		{ what: 'a chunk of tags after no samples', bytes: finished },
		{ what: 'a part of a header', bytes: readAudioFile('header-only.wav') },
	])('is rejected before the call: $what', async ({ bytes }) => {
		await expect(openUpload(bytes, 'a.wav')).rejects.toThrow("The file 'a.wav' has no audio");
		const upload = await openUpload(bytes, 'a.wav', { formatCheck: 'off' });
		expect(await buffer(upload.read())).toEqual(bytes);
	});
});

it('sends a WAV file whose header counts no samples, but whose samples follow', async () => {
	const bytes = readAudioFile('pcm-16.wav');
	bytes.writeUInt32LE(0, bytes.indexOf('data') + 4);
	expect(await buffer((await openUpload(bytes, 'a.wav')).read())).toEqual(bytes);
});

describe('a recording that may be converted', () => {
	const converted = [
		{ file: fileConvertedToWav.file, sentAs: 'voice.wav', partType: 'audio/wav', start: 'RIFF' },
		{ file: 'with-video.mp4', sentAs: 'voice.m4a', partType: 'audio/mp4', start: 'ftyp' },
	];

	it.each(
		converted.flatMap((row) => [
			{ ...row, what: 'speech to text', endpoint: speechToText },
			{ ...row, what: 'an operation without documented formats', endpoint: undocumented },
		]),
	)('is sent to $what as $sentAs: $file', async ({ file, endpoint, sentAs, partType, start }) => {
		const upload = await openUpload(readAudioFile(file), 'voice.bin', {
			endpoint,
			convertAudio: true,
		});
		expect(upload).toMatchObject({ fileName: sentAs, mimeType: partType });
		const sent = await buffer(upload.read());
		expect(sent.toString('latin1', 0, 8)).toContain(start);
		expect(sent).toHaveLength(upload.size!);
	});

	it.each(['stereo.m4a', 'cbr.mp3'])(
		'is sent byte for byte if the service takes it: %s',
		async (file) => {
			const upload = await openUpload(readAudioFile(file), file, { convertAudio: true });
			expect(upload.fileName).toBe(file);
			expect(computeSha256(await buffer(upload.read()))).toBe(computeSha256(readAudioFile(file)));
		},
	);

	it.each([
		{ formatCheck: 'off', convertAudio: true, because: "'Format Check' is off" },
		{ formatCheck: 'off', convertAudio: false, because: 'both options are off' },
	])('is sent to speech to text byte for byte if $because', async (options) => {
		const { file, format } = fileConvertedToWav;
		const bytes = readAudioFile(file);
		const upload = await openUpload(bytes, file, options);
		expect(upload.mimeType).toBe(describePart(format).partType);
		expect(computeSha256(await buffer(upload.read()))).toBe(computeSha256(bytes));
	});

	it.each([
		{ endpoint: speechToText, advice: /with another program\.$/ },
		{ endpoint: undocumented, advice: /turn off the option 'Convert Audio'\.$/ },
	])('is rejected if it cannot be converted: $endpoint.path', async ({ endpoint, advice }) => {
		const opening = openUpload(readAudioFile('vorbis.mka'), 'a.mka', {
			endpoint,
			convertAudio: true,
		});
		await expect(opening).rejects.toMatchObject({
			message: "The file 'a.mka' cannot be converted: its audio is Vorbis",
			description: expect.stringMatching(advice),
		});
	});

	it('is rejected where no format is documented if its format is not converted', async () => {
		const { file, format } = rejected.find((row) => isAudio(row) && row.container === undefined)!;
		const options = { endpoint: undocumented, convertAudio: true };
		await expect(openUpload(readAudioFile(file), file, options)).rejects.toMatchObject({
			message: `The file '${file}' is ${format}, not ${acceptedFormatsText}`,
			description: expect.stringContaining("turn off the option 'Convert Audio'"),
		});
	});
});

describe('what a URL leads to', () => {
	const page = Buffer.from('<!DOCTYPE html><title>Log in</title>');
	const unknown = Buffer.from([0, 1, 2, 3, 0xff, 0xfe]);
	const text = Buffer.from('Log in');

	it.each([
		{ bytes: page, mimeType: 'audio/wav', formatCheck: 'reject', found: 'HTML' },
		{ bytes: page, mimeType: 'audio/wav', formatCheck: 'off', found: 'HTML' },
		{ bytes: text, mimeType: 'audio/wav', formatCheck: 'off', found: 'text' },
		{
			bytes: unknown,
			mimeType: 'Text/Plain; charset=utf-8',
			formatCheck: 'reject',
			found: 'text/plain',
		},
		{ bytes: unknown, mimeType: 'image/png', formatCheck: 'reject', found: 'image/png' },
		{
			bytes: unknown,
			mimeType: 'application/json',
			formatCheck: 'reject',
			found: 'application/json',
		},
	])(
		'is rejected if it is $found, declared as $mimeType, with the check $formatCheck',
		async ({ bytes, found, ...options }) => {
			const opening = openUpload(bytes, 'a', { ...options, isRemote: true });
			await expect(opening).rejects.toThrow(`'Audio URL' leads to ${found}, not to audio`);
		},
	);

	it.each([
		{ bytes: unknown, mimeType: 'application/octet-stream', formatCheck: 'reject' },
		{ bytes: unknown, mimeType: 'text/plain', formatCheck: 'off' },
		{ bytes: readAudioFile('cbr.mp3'), mimeType: 'text/plain', formatCheck: 'reject' },
	])(
		'is sent if it may be audio, declared as $mimeType, with the check $formatCheck',
		async ({ bytes, ...options }) => {
			const upload = await openUpload(bytes, 'a', { ...options, isRemote: true });
			expect(computeSha256(await buffer(upload.read()))).toBe(computeSha256(bytes));
		},
	);
});

describe('unknown bytes from a URL that declares text', () => {
	const bytes = Buffer.from([0, 1, 2, 3, 0xff, 0xfe]);
	const declared = { mimeType: 'text/plain', isRemote: true };

	it.each([
		{ endpoint: speechToText, option: "set the option 'Format Check' to 'Off'" },
		{ endpoint: undocumented, option: "turn off the option 'Convert Audio'" },
	])('are rejected with the advice: $option', async ({ endpoint, option }) => {
		const opening = openUpload(bytes, 'a', { ...declared, endpoint, convertAudio: true });
		await expect(opening).rejects.toMatchObject({
			message: "'Audio URL' leads to text/plain, not to audio",
			description: expect.stringContaining(`If it is audio, ${option}.`),
		});
	});

	it.each([
		{
			option: 'Format Check',
			settings: { endpoint: speechToText, formatCheck: 'off', convertAudio: true },
		},
		{
			option: 'Convert Audio',
			settings: { endpoint: undocumented, formatCheck: 'reject', convertAudio: false },
		},
	])("are sent if the option '$option' is off", async ({ settings }) => {
		const upload = await openUpload(bytes, 'a', { ...declared, ...settings });
		expect(await buffer(upload.read())).toEqual(bytes);
	});
});

describe('a request without audio', () => {
	const payloads: Payload[] = [
		{ kind: 'json', text: '{}' },
		{ kind: 'form', fields: [['text', 'Hello']] },
	];

	it.each(payloads)('passes the check of its audio if its body is a $kind', async (payload) => {
		const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
		const request = { endpoint: speechToText, payload } as PreparedRequest;
		await expect(checkAudio(request, timeouts, timeouts.signal)).resolves.toBeUndefined();
		timeouts.finish();
	});

	it.each(payloads)('is sent as it is if its body is a $kind', async (payload) => {
		const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
		const request = { endpoint: speechToText, payload } as PreparedRequest;
		expect(await openBody(request, timeouts, timeouts.signal)).toEqual({
			body: payload,
			reader: undefined,
			sampleWarnings: [],
		});
		timeouts.finish();
	});
});

describe('audio as a raw body', () => {
	/** Opens the body of a request that sends the audio alone. */
	async function openRawBody(size: number | undefined) {
		const audio = createAudioSource(readAudioFile('cbr.mp3'), { name: 'a.mp3', size });
		const request = {
			endpoint: undocumented,
			options: { formatCheck: 'reject', convertAudio: false },
			payload: { kind: 'audioBody', audio },
		} as unknown as PreparedRequest;
		const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
		try {
			return (await openBody(request, timeouts, timeouts.signal)).body;
		} finally {
			timeouts.finish();
		}
	}

	it('is sent with its size', async () => {
		const { length } = readAudioFile('cbr.mp3');
		expect(await openRawBody(length)).toMatchObject({
			kind: 'audioBody',
			upload: { size: length, mimeType: 'audio/mpeg' },
		});
	});

	it('is rejected without a size', async () => {
		await expect(openRawBody(undefined)).rejects.toThrow(
			"The server of 'Audio URL' does not report the length of the audio",
		);
	});
});
