import { sniffHead } from '../../nodes/VoiceSpeech/audio/format.ts';
import { probeAudio } from '../../nodes/VoiceSpeech/audio/probeAudio.ts';
import { computeTagsEnd, findAudioStart } from '../../nodes/VoiceSpeech/audio/tags.ts';
import { createAudioReader } from '../support/media/audioFiles.mts';
import { createBox } from '../support/media/isobmff.mts';
import { createApeTag, createId3Tag, createMp3, createWav } from '../support/media/recordings.mts';

const createTags = (count: number) =>
	Buffer.concat(new Array<Buffer>(count).fill(createId3Tag(30)));

/** The header of a tag with one byte of its size changed. */
function createChangedTag(offset: number, byte: number): Buffer {
	const bytes = createId3Tag(10);
	bytes[offset] = byte;
	return bytes;
}

const zeros = Buffer.alloc(50);

it.each<[what: string, end: number, ...parts: Buffer[]]>([
	['none', 0, createWav()],
	['ID3v2.1', 0, createId3Tag(30, { version: 1 })],
	['ID3v2.2', 30, createId3Tag(30, { version: 2 })],
	['ID3v2.4', 30, createId3Tag(30)],
	['ID3v2.5', 0, createId3Tag(30, { version: 5 })],
	['a footer', 40, createId3Tag(30, { flags: 0x10 }), Buffer.alloc(10)],
	['other flags', 30, createId3Tag(30, { flags: 0xef })],
	['eight', 240, createTags(8)],
	['nine: the last is not skipped', 240, createTags(9)],
	['the largest byte of a size', 137, createChangedTag(9, 127), Buffer.alloc(127)],
	['an invalid size, byte 6', 0, createChangedTag(6, 128)],
	['an invalid size, byte 9', 0, createChangedTag(9, 128)],
	['an incomplete header', 0, createId3Tag(30).subarray(0, 9)],
	['nothing but a header', 10, createId3Tag(10)],
	['APEv2', 100, createApeTag(100)],
	['APEv2 without a size', 0, createApeTag(100).subarray(0, 15)],
	['ID3v2 and APEv2', 130, createId3Tag(30), createApeTag(100)],
	['eight zeros', 8, Buffer.alloc(8), createMp3()],
	['seven zeros', 0, Buffer.alloc(7), createMp3()],
	['a tag, and padding after it', 120, createId3Tag(30), Buffer.alloc(90), createMp3()],
	['zeros before a box of MP4', 50, zeros, createBox('ftyp', 'M4A ')],
	['zeros before a length of two bytes', 50, zeros, createBox('moov', 'a'.repeat(300))],
	['zeros before a length of three bytes', 50, zeros, createBox('mdat', 'a'.repeat(70_000))],
	['a free box', 11, createBox('free', 'abc')],
	['two empty boxes', 16, createBox('skip'), createBox('wide')],
	['a box shorter than its header', 0, Buffer.from('\0\0\0\x07free', 'latin1')],
	['another box', 0, createBox('ftyp', 'M4A ')],
])('finds the end of the tags in front of audio: %s', async (_, end, ...parts) => {
	const bytes = Buffer.concat(parts);
	expect(computeTagsEnd(bytes)).toBe(end);
	const { reader } = await createAudioReader(bytes, 5);
	expect(await findAudioStart(reader)).toBe(end);
});

it('skips zeros in linear time', async () => {
	const { reader, taken } = await createAudioReader(Buffer.alloc(2e6), 64 * 1024);
	expect(await findAudioStart(reader)).toBeUndefined();
	// The requested lengths double, up to 1 MiB.
	expect(taken.peeks).toBeLessThan(20);
	expect(taken.farthest).toBe(1024 * 1024);
});

it('recognizes a response that begins with a long tag as MP3, in which nothing is found', async () => {
	const format = sniffHead(createId3Tag(30));
	expect(format?.name).toBe('MP3');
	const { reader } = await createAudioReader(createId3Tag(30));
	expect(await probeAudio(reader, format)).toEqual({});
	expect(sniffHead(Buffer.alloc(30))).toBeUndefined();
	expect(sniffHead(createApeTag(100))).toBeUndefined();
});
