import { findAudioType } from '../../nodes/VoiceSpeech/response/audioType';
import { sniffHead } from '../../nodes/VoiceSpeech/audio/format';
import { headBytes } from '../../nodes/VoiceSpeech/limits';
import { readAudioFile } from '../support/media/audioFiles';
import { rawSamples } from '../support/media/recordings';

/** A file of each format, and the types under which it may come. */
const formats: Array<{ file: string; ownTypes: string[] }> = [
	{ file: 'pcm-16.wav', ownTypes: ['wav', 'wave'] },
	{ file: 'cbr.mp3', ownTypes: ['mp3', 'mpeg'] },
	{ file: 'mono.flac', ownTypes: ['flac'] },
	{ file: 'lossless.m4a', ownTypes: ['mp4', 'm4a', 'm4b'] },
	{ file: 'adts.aac', ownTypes: ['aac'] },
	{ file: 'opus.opus', ownTypes: ['ogg', 'opus'] },
	{ file: 'vorbis.ogg', ownTypes: ['ogg'] },
	{ file: 'opus.webm', ownTypes: ['webm'] },
	{ file: 'telephone.amr', ownTypes: ['amr'] },
	{ file: 'aiff.aiff', ownTypes: ['aif', 'aiff'] },
	{ file: 'sun.au', ownTypes: ['au', 'snd'] },
	{ file: 'core.caf', ownTypes: ['caf'] },
	{ file: 'windows.wma', ownTypes: ['ms-wma', 'wma'] },
	{ file: 'mobile.3gp', ownTypes: ['mp4', 'm4a', 'm4b'] },
	{ file: 'layer-2.mp2', ownTypes: ['mp2', 'mpeg', 'mpa'] },
];

const headerless = {
	pcm: ['l8', 'l16', 'l24', 'pcm', 'raw'],
	ulaw: ['basic', 'pcmu', 'mulaw'],
	alaw: ['pcma', 'alaw'],
};

const everyType = [...new Set(formats.flatMap(({ ownTypes }) => ownTypes))];
const readHead = (file: string) => readAudioFile(file).subarray(0, headBytes);

describe.each(formats)('$file', ({ file, ownTypes }) => {
	const own = sniffHead(readHead(file));

	it.each(ownTypes)('keeps the type %s', (type) => {
		for (const declaredType of [`audio/${type}`, `audio/x-${type}`, `audio/vnd.${type}`]) {
			expect(findAudioType(readHead(file), declaredType)).toEqual({
				...own,
				mimeType: declaredType,
			});
		}
	});

	it('is stored as what it is under any other type', () => {
		const near = ownTypes.flatMap((type) => [`un${type}`, `${type}z`]);
		const others = everyType.filter((type) => !ownTypes.includes(type));
		for (const type of [...near, ...others, 'something']) {
			expect(findAudioType(readHead(file), `audio/${type}`)).toEqual(own);
		}
	});
});

it.each(Object.entries(headerless))('stores headerless audio as .%s', (extension, types) => {
	for (const type of types) {
		const mimeType = `audio/${type};rate=8000`;
		expect(findAudioType(rawSamples, mimeType)).toEqual({ mimeType, extensions: [extension] });
	}
});

it.each(everyType)('does not store headerless audio as %s', (type) => {
	expect(findAudioType(rawSamples, `audio/${type}`)).toBeUndefined();
	for (const near of [`un${type}`, `${type}z`]) {
		const extension = near.replace(/\W/g, '');
		expect(findAudioType(rawSamples, `audio/${near}`)?.extensions).toEqual([extension]);
	}
});
