import { formatOf } from '../../nodes/VoiceSpeech/audio/format';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probe';
import { endOfTags, findAudio } from '../../nodes/VoiceSpeech/audio/tags';
import { countedReader } from '../support/audioFiles';
import { box } from '../support/mp4';
import { mp3, wav } from '../support/recordings';
import { apeTag, id3Tag } from '../support/tags';

const many = (count: number) => Buffer.concat(new Array<Buffer>(count).fill(id3Tag(30)));

/** The header of a tag with one byte of its size changed. */
function sized(offset: number, byte: number): Buffer {
	const bytes = id3Tag(10);
	bytes[offset] = byte;
	return bytes;
}

const tags: Array<[what: string, bytes: Buffer, end: number]> = [
	['none', wav(), 0],
	['ID3v2.1', id3Tag(30, { version: 1 }), 0],
	['ID3v2.2', id3Tag(30, { version: 2 }), 30],
	['ID3v2.3', id3Tag(30, { version: 3 }), 30],
	['ID3v2.4', id3Tag(30), 30],
	['ID3v2.5', id3Tag(30, { version: 5 }), 0],
	['a footer', Buffer.concat([id3Tag(30, { flags: 0x10 }), Buffer.alloc(10)]), 40],
	['other flags', id3Tag(30, { flags: 0xef }), 30],
	['two', many(2), 60],
	['eight', many(8), 240],
	['nine: the last is not skipped', many(9), 240],
	['the largest byte of a size', Buffer.concat([sized(9, 127), Buffer.alloc(127)]), 137],
	...[6, 7, 8, 9].map((offset): [string, Buffer, number] => [
		`an invalid size, byte ${offset}`,
		sized(offset, 128),
		0,
	]),
	['an incomplete header', id3Tag(30).subarray(0, 9), 0],
	['nothing but a header', id3Tag(10), 10],
	['APEv2', apeTag(100), 100],
	['APEv2 without a size', apeTag(100).subarray(0, 15), 0],
	['ID3v2 and APEv2', Buffer.concat([id3Tag(30), apeTag(100)]), 130],
	['eight zeros', Buffer.concat([Buffer.alloc(8), mp3()]), 8],
	['seven zeros', Buffer.concat([Buffer.alloc(7), mp3()]), 0],
	['a tag, and padding behind it', Buffer.concat([id3Tag(30), Buffer.alloc(90), mp3()]), 120],
	['a free box', box('free', 'abc'), 11],
	['two empty boxes', Buffer.concat([box('skip'), box('wide')]), 16],
	['a box shorter than its header', Buffer.from('\0\0\0\x07free', 'latin1'), 0],
	['another box', box('ftyp', 'M4A '), 0],
];

it.each(tags)('the end of tags in front: %s', async (_what, bytes, end) => {
	expect(endOfTags(bytes)).toBe(end);
	const { reader } = await countedReader(bytes, 5);
	expect(await findAudio(reader)).toBe(end);
});

it('zeros are counted in linear time', async () => {
	const { reader, taken } = await countedReader(Buffer.alloc(2e6), 64 * 1024);
	expect(await findAudio(reader)).toBeUndefined();
	// Requests that double in length, up to 1 MiB.
	expect(taken.peeks).toBeLessThan(20);
});

it('a response that begins with a long tag counts as MP3', () => {
	expect(formatOf(id3Tag(30))?.name).toBe('MP3');
	expect(formatOf(Buffer.alloc(30))).toBeUndefined();
	expect(formatOf(apeTag(100))).toBeUndefined();
});

it('a tag without audio has no properties', async () => {
	const { reader } = await countedReader(id3Tag(30));
	expect(await probeAudio(reader, formatOf(id3Tag(30)))).toEqual({});
});
