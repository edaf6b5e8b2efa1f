import { findFileType, isTextResponse } from '../../nodes/VoiceSpeech/response/audioType.ts';
import { sniffHead } from '../../nodes/VoiceSpeech/audio/format.ts';
import { headBytes } from '../../nodes/VoiceSpeech/limits.ts';
import { readAudioFile } from '../support/media/audioFiles.mts';
import { rawSamples } from '../support/media/recordings.mts';

/** Files, and the types under which their formats may come. test/audio/format.test.mts has all types in a snapshot. */
const formats: Array<{ file: string; ownTypes: string[] }> = [
	{ file: 'pcm-16.wav', ownTypes: ['wav', 'wave'] },
	{ file: 'cbr.mp3', ownTypes: ['mp3', 'mpeg'] },
	{ file: 'lossless.m4a', ownTypes: ['mp4', 'm4a', 'm4b'] },
	{ file: 'opus.opus', ownTypes: ['ogg', 'opus'] },
	{ file: 'vorbis.ogg', ownTypes: ['ogg'] },
	{ file: 'windows.wma', ownTypes: ['ms-wma', 'wma'] },
	{ file: 'layer-2.mp2', ownTypes: ['mp2', 'mpeg', 'mpa'] },
];

const headerless = {
	pcm: ['l8', 'l16', 'l24', 'pcm', 'raw'],
	ulaw: ['basic', 'pcmu', 'mulaw'],
	alaw: ['pcma', 'alaw'],
};

const everyType = [...new Set(formats.flatMap(({ ownTypes }) => ownTypes))];
const readHead = (file: string) => readAudioFile(file).subarray(0, headBytes);

/** Only the beginning of what a table checks. */
const readType = (bytes: Buffer, declaredType: string) => {
	const head = bytes.subarray(0, headBytes);
	expect(isTextResponse(head, declaredType, true)).toBe(false);
	return findFileType(head, declaredType);
};

describe.each(formats)('$file', ({ file, ownTypes }) => {
	const bytes = readAudioFile(file);
	const { mimeType, extensions } = sniffHead(readHead(file))!;

	it.each(ownTypes)('keeps the type %s', (type) => {
		for (const declaredType of [`audio/${type}`, `audio/x-${type}`, `audio/vnd.${type}`]) {
			const expected = { mimeType: declaredType, extensions, isKnownAudio: true };
			expect(readType(bytes, declaredType)).toEqual(expected);
		}
	});

	it('is stored as what it is under any other type', () => {
		const near = ownTypes.flatMap((type) => [`un${type}`, `${type}z`]);
		const others = everyType.filter((type) => !ownTypes.includes(type));
		for (const type of [...near, ...others, 'something']) {
			const expected = { mimeType, extensions, isKnownAudio: true };
			expect(readType(bytes, `audio/${type}`)).toEqual(expected);
		}
	});
});

it.each(Object.entries(headerless))('stores headerless audio as .%s', (extension, types) => {
	for (const type of types) {
		const mimeType = `audio/${type};rate=8000`;
		const expected = { mimeType, extensions: [extension], isKnownAudio: true };
		expect(readType(rawSamples, mimeType)).toEqual(expected);
	}
});

it.each([
	['audio/unknown', 'unknown', 'audio/unknown'],
	['audio/x-m4b; rate=8000', 'm4a', 'audio/x-m4b; rate=8000'],
	['audio/+', 'bin', 'audio/+'],
	['video/quicktime; x=1', 'mov', 'video/quicktime'],
	['application/pdf', 'pdf', 'application/pdf'],
	['x-audio/pcm', 'bin', 'x-audio/pcm'],
	['', 'bin', 'application/octet-stream'],
])("stores bytes that are not recognized, declared as '%s', as .%s", (...row) => {
	const [declared, extension, mimeType] = row;
	const expected = { mimeType, extensions: [extension], isKnownAudio: false };
	expect(readType(rawSamples, declared)).toEqual(expected);
});

it('stores a format that has no type of its own as its declared type', () => {
	const expected = { mimeType: 'image/jxl', extensions: ['bin'], isKnownAudio: false };
	expect(readType(Buffer.from('Salted__\u0001\u0002'), 'image/jxl')).toEqual(expected);
});
