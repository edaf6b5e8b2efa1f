import { beginningOf } from '../../nodes/VoiceSpeech/audio/beginning';
import { formatOf } from '../../nodes/VoiceSpeech/audio/format';
import { measure } from '../../nodes/VoiceSpeech/audio/measure';
import { recognise } from '../../nodes/VoiceSpeech/audio/recognise';
import { endOfTags, endOfTagsIn } from '../../nodes/VoiceSpeech/audio/tags';
import { countedReader } from '../support/audioFiles';
import { wav } from '../support/recordings';

/** An ID3v2 tag: its head, and as much behind it as its size says. */
function tag(length: number, { version = 4, flags = 0 } = {}): Buffer {
	const bytes = Buffer.alloc(length);
	const size = [21, 14, 7, 0].map((shift) => ((length - 10) >> shift) & 127);
	bytes.set([...Buffer.from('ID3'), version, 0, flags, ...size]);
	return bytes;
}

const many = (count: number) => Buffer.concat(new Array<Buffer>(count).fill(tag(30)));

/** The head of a tag with one byte of its size changed. */
function sized(place: number, byte: number): Buffer {
	const bytes = tag(10);
	bytes[place] = byte;
	return bytes;
}

/** Where the tags end, and how often is looked for one. */
const tags: Array<[what: string, bytes: Buffer, end: number, looks: number]> = [
	['none', wav(), 0, 1],
	['of version 1', tag(30, { version: 1 }), 0, 1],
	['of version 2', tag(30, { version: 2 }), 30, 2],
	['of version 3', tag(30, { version: 3 }), 30, 2],
	['of version 4', tag(30), 30, 2],
	['of version 5', tag(30, { version: 5 }), 0, 1],
	['with a foot', Buffer.concat([tag(30, { flags: 0x10 }), Buffer.alloc(10)]), 40, 2],
	['with other flags', tag(30, { flags: 0xef }), 30, 2],
	['two', many(2), 60, 3],
	['eight', many(8), 240, 8],
	['nine, of which the last counts for none', many(9), 240, 8],
	['with the largest piece of a size', Buffer.concat([sized(9, 127), Buffer.alloc(127)]), 137, 2],
	...[6, 7, 8, 9].map((place): [string, Buffer, number, number] => [
		`with a size that is none, in byte ${place}`,
		sized(place, 128),
		0,
		1,
	]),
	['cut off in its head', tag(30).subarray(0, 9), 0, 1],
	['with nothing but its head', tag(10), 10, 2],
];

describe.each(tags)('tags in front: %s', (_what, bytes, end, looks) => {
	it('end in the bytes at hand', () => expect(endOfTagsIn(bytes)).toBe(end));

	it('end in the file', async () => {
		const { reader, taken } = await countedReader(bytes);
		expect(await endOfTags(beginningOf(reader, 1e6))).toBe(end);
		expect(taken.looks).toBe(looks);
	});
});

const mebibyte = 1024 * 1024;

describe('what stands behind a tag', () => {
	it.each<[string, Buffer, string]>([
		['WAV', Buffer.concat([tag(8990), wav()]), 'WAV'],
		['WAV behind nearly 1 MiB', Buffer.concat([tag(mebibyte - 1), wav()]), 'WAV'],
		['WAV behind 1 MiB, which is not read past', Buffer.concat([tag(mebibyte), wav()]), 'MP3'],
		['no recording', Buffer.concat([tag(30), Buffer.from('%PDF-1.7')]), 'MP3'],
		['nothing', tag(30), 'MP3'],
	])('%s', async (_case, bytes, expected) => {
		const { reader } = await countedReader(bytes, 1000);
		expect((await recognise(reader))?.name).toBe(expected);
	});

	it('is taken for MP3, of which nothing is known where there is none', async () => {
		const { reader } = await countedReader(tag(30));
		expect(await measure(reader, formatOf(tag(30)))).toEqual({});
	});
});
