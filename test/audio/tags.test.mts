import { sniffHead } from '../../nodes/VoiceSpeech/audio/format.ts';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probeAudio.ts';
import { computeTagsEnd, findAudioStart } from '../../nodes/VoiceSpeech/audio/tags.ts';
import { createAudioReader } from '../support/media/audioFiles.mts';
import { createBox } from '../support/media/isobmff.mts';
import { createMp3, createWav } from '../support/media/recordings.mts';
import { createApeTag, createId3Tag } from '../support/media/tags.mts';

const createTags = (count: number) =>
	Buffer.concat(new Array<Buffer>(count).fill(createId3Tag(30)));

/** The header of a tag with one byte of its size changed. */
function createChangedTag(offset: number, byte: number): Buffer {
	const bytes = createId3Tag(10);
	bytes[offset] = byte;
	return bytes;
}

const tags: Array<{ what: string; bytes: Buffer; end: number }> = [
	{ what: 'none', bytes: createWav(), end: 0 },
	{ what: 'ID3v2.1', bytes: createId3Tag(30, { version: 1 }), end: 0 },
	{ what: 'ID3v2.2', bytes: createId3Tag(30, { version: 2 }), end: 30 },
	{ what: 'ID3v2.3', bytes: createId3Tag(30, { version: 3 }), end: 30 },
	{ what: 'ID3v2.4', bytes: createId3Tag(30), end: 30 },
	{ what: 'ID3v2.5', bytes: createId3Tag(30, { version: 5 }), end: 0 },
	{
		what: 'a footer',
		bytes: Buffer.concat([createId3Tag(30, { flags: 0x10 }), Buffer.alloc(10)]),
		end: 40,
	},
	{ what: 'other flags', bytes: createId3Tag(30, { flags: 0xef }), end: 30 },
	{ what: 'two', bytes: createTags(2), end: 60 },
	{ what: 'eight', bytes: createTags(8), end: 240 },
	{ what: 'nine: the last is not skipped', bytes: createTags(9), end: 240 },
	{
		what: 'the largest byte of a size',
		bytes: Buffer.concat([createChangedTag(9, 127), Buffer.alloc(127)]),
		end: 137,
	},
	{ what: 'an invalid size, byte 6', bytes: createChangedTag(6, 128), end: 0 },
	{ what: 'an invalid size, byte 7', bytes: createChangedTag(7, 128), end: 0 },
	{ what: 'an invalid size, byte 8', bytes: createChangedTag(8, 128), end: 0 },
	{ what: 'an invalid size, byte 9', bytes: createChangedTag(9, 128), end: 0 },
	{ what: 'an incomplete header', bytes: createId3Tag(30).subarray(0, 9), end: 0 },
	{ what: 'nothing but a header', bytes: createId3Tag(10), end: 10 },
	{ what: 'APEv2', bytes: createApeTag(100), end: 100 },
	{ what: 'APEv2 without a size', bytes: createApeTag(100).subarray(0, 15), end: 0 },
	{
		what: 'ID3v2 and APEv2',
		bytes: Buffer.concat([createId3Tag(30), createApeTag(100)]),
		end: 130,
	},
	{ what: 'eight zeros', bytes: Buffer.concat([Buffer.alloc(8), createMp3()]), end: 8 },
	{ what: 'seven zeros', bytes: Buffer.concat([Buffer.alloc(7), createMp3()]), end: 0 },
	{
		what: 'a tag, and padding after it',
		bytes: Buffer.concat([createId3Tag(30), Buffer.alloc(90), createMp3()]),
		end: 120,
	},
	{
		what: 'zeros before a box of MP4',
		bytes: Buffer.concat([Buffer.alloc(50), createBox('ftyp', 'M4A ')]),
		end: 50,
	},
	{
		what: 'zeros before a box whose length has two bytes',
		bytes: Buffer.concat([Buffer.alloc(50), createBox('moov', 'a'.repeat(300))]),
		end: 50,
	},
	{
		what: 'zeros before a box whose length has three bytes',
		bytes: Buffer.concat([Buffer.alloc(50), createBox('mdat', 'a'.repeat(70_000))]),
		end: 50,
	},
	{ what: 'a free box', bytes: createBox('free', 'abc'), end: 11 },
	{
		what: 'two empty boxes',
		bytes: Buffer.concat([createBox('skip'), createBox('wide')]),
		end: 16,
	},
	{ what: 'a box shorter than its header', bytes: Buffer.from('\0\0\0\x07free', 'latin1'), end: 0 },
	{ what: 'another box', bytes: createBox('ftyp', 'M4A '), end: 0 },
];

it.each(tags)('finds the end of the tags in front of audio: $what', async ({ bytes, end }) => {
	expect(computeTagsEnd(bytes)).toBe(end);
	const { reader } = await createAudioReader(bytes, 5);
	expect(await findAudioStart(reader)).toBe(end);
});

it('skips zeros in linear time', async () => {
	const { reader, taken } = await createAudioReader(Buffer.alloc(2e6), 64 * 1024);
	expect(await findAudioStart(reader)).toBeUndefined();
	// The requested lengths double, up to 1 MiB.
	expect(taken.peeks).toBeLessThan(20);
});

it('recognizes a response that begins with a long tag as MP3', () => {
	expect(sniffHead(createId3Tag(30))?.name).toBe('MP3');
	expect(sniffHead(Buffer.alloc(30))).toBeUndefined();
	expect(sniffHead(createApeTag(100))).toBeUndefined();
});

it('finds no properties in a tag without audio', async () => {
	const { reader } = await createAudioReader(createId3Tag(30));
	expect(await probeAudio(reader, sniffHead(createId3Tag(30)))).toEqual({});
});
