import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { UserError } from 'n8n-workflow';

import type { PreparedRequest, Upload } from '../../nodes/VoiceSpeech/call/request.ts';
import { openBody } from '../../nodes/VoiceSpeech/call/openBody.ts';
import { CallTimeouts } from '../../nodes/VoiceSpeech/call/timeouts.ts';
import {
	acceptedFormats,
	acceptedFormatsText,
	type Endpoint,
} from '../../nodes/VoiceSpeech/service/endpoint.ts';
import {
	readAudioFile,
	audioFiles,
	convertedFiles,
	fileConvertedToWav,
} from '../support/media/audioFiles.mts';
import { createId3Tag, createWavHeader } from '../support/media/recordings.mts';
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
		otherFormats = 'reject',
		mimeType = 'application/octet-stream',
		isRemote = false,
		close = () => {},
	} = {},
): Promise<Upload> {
	const declared = { name, mimeType };
	const open = async () => ({ size: undefined, declared, chunks: Readable.from([bytes]), close });
	const audio = { isRemote, identity: [], open };
	const request = {
		endpoint,
		options: { fileFieldName: 'file', otherFormats },
		payload: { kind: 'audioForm', audio, fields: [] },
	} as unknown as PreparedRequest;
	const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
	opened.push(timeouts);
	const { body } = await openBody(request, timeouts, timeouts.signal);
	if (!('upload' in body)) throw new Error('The request has no audio');
	return body.upload;
}

/** Expects that a file is sent byte for byte. */
async function expectUnchanged(...call: Parameters<typeof openUpload>): Promise<Upload> {
	const upload = await openUpload(...call);
	expect(computeSha256(await buffer(upload.read()))).toBe(computeSha256(call[0]));
	return upload;
}

/** Unknown files may be audio, so speech to text and clone accept them too. */
const accepted: string[] = [...acceptedFormats, ''];
const withoutAudio = ['empty.wav', 'header-only.wav', 'one-byte.wav'];
const acceptedFiles = audioFiles.filter(
	(row) =>
		accepted.includes(row.format) &&
		!withoutAudio.includes(row.file) &&
		!convertedFiles.some(({ file }) => file === row.file),
);

it.each(acceptedFiles)('sends $file byte for byte ($note)', async ({ file }) => {
	await expectUnchanged(readAudioFile(file), 'voice.bin', { otherFormats: 'convert' });
});

// test/audio/format.test.mts has the names and types of all formats in a snapshot.
it.each([
	['cbr.mp3', 'reject', 'voice.mp3', 'audio/mpeg'],
	['telephone.amr', 'send', 'voice.amr', 'audio/amr'],
	['words.txt', 'send', 'voice', 'text/plain'],
	['raw.pcm', 'reject', 'voice', 'audio/x-declared;rate=8000'],
])('sends %s with the option %s as %s of the type %s', async (file, otherFormats, ...sent) => {
	const [fileName, mimeType] = sent;
	const options = { otherFormats, mimeType: 'audio/x-declared;rate=8000' };
	const upload = await openUpload(readAudioFile(file), 'voice.bin', options);
	expect(upload).toMatchObject({ fileName, mimeType });
});

const sendAnyway =
	"If the service accepts it anyway, set the option 'Other Formats' to 'Send As It Is'.";

const convert = "Set the option 'Other Formats' to 'Convert'.";
const convertElsewhere = `Use a recording in another format, or convert it to ${acceptedFormatsText} with another program.`;

describe('a file that the service does not accept', () => {
	it.each([
		['opus.opus', `is OGG Opus, not ${acceptedFormatsText}`, `${convert} ${sendAnyway}`],
		['telephone.amr', `is AMR, not ${acceptedFormatsText}`, `${convertElsewhere} ${sendAnyway}`],
		// Nobody needs to send a letter as audio.
		[
			'paper.pdf',
			'is not audio: its content is PDF',
			'Check which file the previous step outputs.',
		],
	])('is rejected before the call: %s %s', async (file, why, description) => {
		const message = `The file '${file}' ${why}`;
		const opening = openUpload(readAudioFile(file), file);
		await expect(opening).rejects.toMatchObject({ message, description });
	});

	it('is rejected without a name', async () => {
		const page = Buffer.from('<!DOCTYPE html>');
		await expect(openUpload(page, '')).rejects.toThrow(
			'The file is not audio: its content is HTML',
		);
	});

	it('is rejected if it is empty, even with Send As It Is', async () => {
		const opening = openUpload(Buffer.alloc(0), 'a.wav', { otherFormats: 'send' });
		const description = 'Check the step that creates it.';
		await expect(opening).rejects.toMatchObject({
			message: "The file 'a.wav' is empty",
			description,
		});
	});
});

// test/engine/inputFiles.test.mts has other damage.
it('closes a data address that is damaged', async () => {
	const close = jest.fn();
	// It is not read to its end.
	const bytes = Buffer.concat([Buffer.from('data:audio/wav;base64,<'), Buffer.alloc(1e6)]);
	const opening = openUpload(bytes, 'a.wav', { close });
	await expect(opening).rejects.toThrow("The file 'a.wav' is a data address that is damaged");
	expect(close).toHaveBeenCalledTimes(1);
});

it.each([
	{ name: 'a.mp3', mimeType: 'application/octet-stream' },
	{ name: 'a', mimeType: 'audio/mpeg' },
])('rejects text that is declared as audio for any operation: %j', async ({ name, mimeType }) => {
	const text = Buffer.from('Yes, that is right.\n');
	const message = `The file '${name}' is not audio: its content is text`;
	await expect(openUpload(text, name, { endpoint: undocumented, mimeType })).rejects.toThrow(
		message,
	);
});

const piece = Buffer.from('a3978100008008 9e9e481b'.replace(' ', ''), 'hex');
const cluster = Buffer.from('1f43b675 01ffffffffffffff e78100'.replaceAll(' ', ''), 'hex');

describe('a file without the beginning of its format', () => {
	it.each([
		['a.webm', '', piece, 'a WebM'],
		['a.bin', '', cluster, 'a WebM'],
		['a.mkv', '', cluster, 'a Matroska'],
		['a', 'video/webm;codecs=vp9', piece, 'a WebM'],
		['a.OGA', '', piece, 'an OGG'],
		['a.enc', 'audio/ogg; codecs=opus', piece, 'an OGG'],
		['a.mp4', '', piece, 'an MP4'],
		['a', 'audio/x-m4a', piece, 'an M4A'],
		['a.flac', '', piece, 'a FLAC'],
		['a', 'audio/vnd.wave', piece, 'a WAV'],
	])('is rejected: %s, declared as "%s"', async (name, mimeType, bytes, found) => {
		await expect(openUpload(bytes, name, { mimeType })).rejects.toMatchObject({
			message: `The file '${name}' is not ${found} file: its beginning is missing`,
			description: expect.stringMatching(`^Check whether it plays\\. .* ${sendAnyway}$`) as string,
		});
	});

	const afterTag = Buffer.concat([createId3Tag(1024 * 1024), readAudioFile('mono.flac')]);

	it.each([
		{ name: 'a.mp3', mimeType: 'audio/mpeg', bytes: piece },
		{ name: 'a.raw', mimeType: 'audio/L16;rate=8000', bytes: piece },
		{ name: 'a', mimeType: '', bytes: piece },
		// The format begins after a tag of more than 1 MiB.
		{ name: 'a.flac', mimeType: 'audio/flac', bytes: afterTag },
		{ name: 'a.wav', mimeType: '', bytes: readAudioFile('cbr.mp3') },
	])('is not $name, declared as "$mimeType"', async ({ name, bytes, mimeType }) => {
		await expectUnchanged(bytes, name, { mimeType });
	});
});

describe('a WAV file without samples', () => {
	const header = createWavHeader(0, 16_000, 1);
	const finished = Buffer.concat([header, Buffer.from('LIST\x04\0\0\0INFO')]);
	finished.writeUInt32LE(finished.length - 8, 4);

	it.each([
		{ what: 'a header that promises samples', bytes: createWavHeader(32_000, 16_000, 1) },
		{ what: 'a chunk of tags after no samples', bytes: finished },
		{ what: 'a part of a header', bytes: readAudioFile('header-only.wav') },
	])('is rejected before the call: $what', async ({ bytes }) => {
		await expect(openUpload(bytes, 'a.wav')).rejects.toThrow("The file 'a.wav' has no audio");
		await expectUnchanged(bytes, 'a.wav', { otherFormats: 'send' });
	});
});

it('sends a WAV file whose header counts no samples, but whose samples follow', async () => {
	const bytes = readAudioFile('pcm-16.wav');
	bytes.writeUInt32LE(0, bytes.indexOf('data') + 4);
	await expectUnchanged(bytes, 'a.wav');
});

describe('a recording that may be converted', () => {
	it.each(convertedFiles)('is sent as $sentAs: $file', async ({ file, sentAs }) => {
		const isWav = sentAs.endsWith('.wav');
		const upload = await openUpload(readAudioFile(file), 'voice.bin', { otherFormats: 'convert' });
		expect(upload).toMatchObject({
			fileName: sentAs.replace(/.*\./, 'voice.'),
			mimeType: isWav ? 'audio/wav' : 'audio/mp4',
		});
		const sent = await buffer(upload.read());
		expect(sent.toString('latin1', 0, 8)).toContain(isWav ? 'RIFF' : 'ftyp');
		expect(sent).toHaveLength(upload.size!);
	});

	// test/audio/tags.test.mts has other tags.
	it('is converted alike after a tag, and with an empty box in place of its brand', async () => {
		const video = readAudioFile('with-video.mp4');
		const convert = async (...input: Buffer[]) => {
			const options = { otherFormats: 'convert' };
			return await buffer((await openUpload(Buffer.concat(input), 'a.mp4', options)).read());
		};
		const converted = await convert(video);
		expect(await convert(createId3Tag(300), video)).toEqual(converted);
		expect(await convert(Buffer.from(video).fill('free', 4, 8))).toEqual(converted);
	});
});

describe("the option 'Other Formats'", () => {
	const files = [
		{ bytes: readAudioFile(fileConvertedToWav.file), name: 'convertible' },
		{ bytes: readAudioFile('with-video.mp4'), name: 'video' },
		{ bytes: readAudioFile('telephone.amr'), name: 'otherAudio' },
		{ bytes: piece, name: 'piece.webm' },
		{ bytes: Buffer.from('<!DOCTYPE html>'), name: 'document' },
	];

	async function findOutcome(
		{ bytes, name }: { bytes: Buffer; name: string },
		settings: { endpoint: Endpoint; otherFormats: string },
	): Promise<string> {
		try {
			const upload = await openUpload(bytes, name, settings);
			const sent = await buffer(upload.read());
			return sent.equals(bytes) ? 'sent' : 'converted';
		} catch (error) {
			expect(error).toBeInstanceOf(UserError);
			return 'rejected';
		}
	}

	// Only reading an MP4 file to convert it shows that it has a video.
	it.each([
		[speechToText, 'convert', ['converted', 'converted', 'rejected', 'rejected', 'rejected']],
		[speechToText, 'reject', ['rejected', 'sent', 'rejected', 'rejected', 'rejected']],
		[speechToText, 'send', ['sent', 'sent', 'sent', 'sent', 'sent']],
		[undocumented, 'convert', ['converted', 'converted', 'rejected', 'rejected', 'sent']],
		[undocumented, 'reject', ['rejected', 'sent', 'rejected', 'rejected', 'sent']],
	])('is obeyed for %j as %s', async (endpoint, otherFormats, outcomes) => {
		const settings = { endpoint, otherFormats };
		const found = await Promise.all(files.map(async (file) => await findOutcome(file, settings)));
		expect(found).toEqual(outcomes);
	});
});

describe('what a URL leads to', () => {
	const page = Buffer.from('<!DOCTYPE html><title>Log in</title>');
	const unknown = Buffer.from([0, 1, 2, 3, 0xff, 0xfe]);

	it.each([
		['HTML', 'audio/wav', 'convert', page],
		['HTML', 'audio/wav', 'send', page],
		['text', 'audio/wav', 'send', Buffer.from('Log in')],
		['text/plain', 'Text/Plain; charset=utf-8', 'reject', unknown],
		['image/png', 'image/png', 'reject', unknown],
		['application/json', 'application/json', 'reject', unknown],
	])(
		'is rejected if it is %s, declared as %s, with the option %s',
		async (found, mimeType, otherFormats, bytes) => {
			const advice = bytes === unknown ? sendAnyway : 'Use an address that leads';
			for (const endpoint of [speechToText, undocumented]) {
				const options = { endpoint, mimeType, otherFormats, isRemote: true };
				await expect(openUpload(bytes, 'a', options)).rejects.toMatchObject({
					message: `'Audio URL' leads to ${found}, not to audio`,
					description: expect.stringContaining(advice),
				});
			}
		},
	);

	it.each([
		['application/octet-stream', 'reject', unknown],
		['text/plain', 'send', unknown],
		['text/plain', 'reject', readAudioFile('cbr.mp3')],
	])(
		'is sent if it may be audio, declared as %s, with the option %s',
		async (mimeType, otherFormats, bytes) => {
			await expectUnchanged(bytes, 'a', { mimeType, otherFormats, isRemote: true });
		},
	);
});
