import { audioTypeOf } from '../../nodes/VoiceSpeech/response/audioType';
import { formatOf } from '../../nodes/VoiceSpeech/audio/format';
import { audioFile } from '../support/audioFiles';

/** A file of each format, and the types under which it may come. */
const formats: Array<[file: string, ownTypes: string[]]> = [
	['pcm-16.wav', ['wav', 'wave']],
	['cbr.mp3', ['mp3', 'mpeg']],
	['mono.flac', ['flac']],
	['lossless.m4a', ['mp4', 'm4a', 'm4b']],
	['adts.aac', ['aac']],
	['opus.opus', ['ogg', 'opus']],
	['vorbis.ogg', ['ogg']],
	['opus.webm', ['webm']],
	['telephone.amr', ['amr']],
	['aiff.aiff', ['aif', 'aiff']],
	['sun.au', ['au', 'snd']],
	['core.caf', ['caf']],
	['windows.wma', ['ms-wma', 'wma']],
	['mobile.3gp', ['mp4', 'm4a', 'm4b']],
	['layer-2.mp2', ['mp2', 'mpeg', 'mpa']],
];

const headerless = {
	pcm: ['l8', 'l16', 'l24', 'pcm', 'raw'],
	ulaw: ['basic', 'pcmu', 'mulaw'],
	alaw: ['pcma', 'alaw'],
};

/** Types that are stored under the format's usual type. */
const otherTypes = [
	...['mpeg3', 'mpg', '3gpp', '3gpp2', 'aacp', 'vorbis', 'speex', 'flac+ogg', 'matroska'],
	'amr-wb',
];

const everyType = [...new Set([...formats.flatMap(([, types]) => types), ...otherTypes])];
const samples = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));
const headOf = (file: string) => audioFile(file).subarray(0, 4096);

describe.each(formats)('%s', (file, ownTypes) => {
	const own = formatOf(headOf(file));

	it.each(ownTypes)('keeps the type it comes as: %s', (type) => {
		for (const announced of [`audio/${type}`, `audio/x-${type}`, `audio/vnd.${type}`]) {
			expect(audioTypeOf(headOf(file), announced)).toEqual({ ...own, mimeType: announced });
		}
	});

	it('is what it is under any other type', () => {
		const near = ownTypes.flatMap((type) => [`un${type}`, `${type}z`]);
		const others = everyType.filter((type) => !ownTypes.includes(type));
		for (const type of [...near, ...others, 'something']) {
			expect(audioTypeOf(headOf(file), `audio/${type}`)).toEqual(own);
		}
	});
});

it.each(Object.entries(headerless))('headerless audio is stored as .%s', (extension, types) => {
	for (const type of types) {
		const mimeType = `audio/${type};rate=8000`;
		expect(audioTypeOf(samples, mimeType)).toEqual({ mimeType, extensions: [extension] });
	}
});

it.each(everyType)('headerless audio is not stored as %s', (type) => {
	expect(audioTypeOf(samples, `audio/${type}`)).toBeUndefined();
	for (const near of [`un${type}`, `${type}z`]) {
		const extension = near.replace(/\W/g, '');
		expect(audioTypeOf(samples, `audio/${near}`)?.extensions).toEqual([extension]);
	}
});
