import { formatOf } from '../../nodes/VoiceSpeech/audio/format';
import { measured } from '../support/audioFiles';
import { mp3 } from '../support/recordings';

/** A frame of silence: by its first bytes, and as long as `mp3()`'s frames or as given. */
function frame(header: number[], length = 144): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.set(header);
	return bytes;
}

const plain = [0xff, 0xfb, 0x18, 0xc4];
const header = Buffer.from(plain);

/** Frames behind other bytes. */
const behind = (...frames: Buffer[]) => Buffer.concat([Buffer.alloc(10, 1), ...frames]);

it.each<[string, Buffer, string | undefined]>([
	['one', mp3(1), 'MP3'],
	['the header of one', header, 'MP3'],
	['the header of one, cut off', header.subarray(0, 3), undefined],
	['one, and then something else', Buffer.concat([mp3(1), Buffer.alloc(9)]), undefined],
	['two, and then something else', Buffer.concat([mp3(2), Buffer.alloc(9)]), undefined],
	['three, and then something else', Buffer.concat([mp3(3), Buffer.alloc(9)]), 'MP3'],
	['one, something else, and three', Buffer.concat([mp3(1), behind(mp3(3))]), 'MP3'],
	['one behind something else', behind(mp3(1)), undefined],
	['two and a header behind something else', behind(mp3(2), header), 'MP3'],
	['two and a cut header behind other bytes', behind(mp3(2), header.subarray(0, 3)), undefined],
	['three, one byte longer', behind(...new Array(3).fill(frame([0xff, 0xfb, 0x1a], 145))), 'MP3'],
	['three behind a byte as of a frame', behind(Buffer.from([0xff, 0]), mp3(3)), 'MP3'],
	['the last of another layer', behind(mp3(2), frame([0xff, 0xfd, 0x18])), undefined],
	['the last of another rate', behind(mp3(2), frame([0xff, 0xfb, 0x14])), undefined],
	['without all bits in front', frame([0xff, 0x1b, 0x18]), undefined],
	['of a reserved rate', frame([0xff, 0xfb, 0x1c]), undefined],
	['of a reserved version', frame([0xff, 0xeb, 0x18]), undefined],
])('frames of MP3: %s', (_case, bytes, expected) => {
	expect(formatOf(bytes)?.name).toBe(expected);
});

/** A frame with a header for variable rates in it: 500 frames, that is 18 seconds. */
function counted(name: string, offset: number, countOffset: number, flags = 3): Buffer {
	const bytes = frame(plain);
	bytes.write(name, offset);
	bytes.writeUInt32BE(flags, offset + 4);
	bytes.writeUInt32BE(500, countOffset);
	bytes.writeUInt32BE(bytes.length, countOffset + 4);
	return bytes;
}

const xing = counted('Xing', 21, 29);

/** In seconds, at 32 kbit/s. */
const bySize = (bytes: number) => bytes / 4000;

describe('the length of MP3', () => {
	it.each<[string, Buffer, number]>([
		['by Xing', xing, 18],
		['by Xing at the very end', xing.subarray(0, 37), 18],
		['by its size where Xing is cut off', xing.subarray(0, 36), bySize(36)],
		['by its size where Xing has no size', counted('Xing', 21, 29, 1), bySize(144)],
		['by its size where something else is there', counted('none', 21, 29), bySize(144)],
	])('%s', async (_case, bytes, seconds) => {
		const { measures } = await measured(bytes);
		expect(measures).toEqual({ seconds, samplingRate: 32_000, channels: 1 });
	});

	/** Frames behind a Xing header that counts this many bytes. */
	const sized = (size: number, frames: number) => {
		const header = counted('Xing', 21, 29, 3);
		header.writeUInt32BE(size, 33);
		return Buffer.concat([header, mp3(frames)]);
	};

	const faster = frame([0xff, 0xfb, 0x28, 0xc4], 180);

	it.each<[string, Buffer, number | undefined]>([
		['by its header, which counts all bytes', sized(144 * 41, 40), 18],
		['by its header, which counts an ID3v1 tag, too', sized(144 * 41 + 128, 40), 18],
		['unknown: most of it is missing', sized(144 * 500, 40), undefined],
		['unknown: there is more behind it', sized(144 * 41, 80), undefined],
		['by its size: only frames of one bit rate', mp3(40), bySize(5760)],
		['by its size: the last frame is incomplete', mp3(40).subarray(0, -100), bySize(5660)],
		['unknown: ID3v1 behind it', Buffer.concat([mp3(40), Buffer.alloc(128, 'TAG')]), undefined],
		['unknown: zeros behind it', Buffer.concat([mp3(40), Buffer.alloc(128)]), undefined],
		['unknown: another bit rate at the end', Buffer.concat([mp3(150), faster]), undefined],
		['by its size, after reading the first 2 MiB', mp3(20_000), bySize(2_880_000)],
	])('%s', async (_case, bytes, seconds) => {
		const { measures, taken } = await measured(bytes);
		expect(measures.seconds).toBe(seconds);
		expect(taken).toBeLessThan(2.2e6);
	});

	it('by its header reads only the first bytes', async () => {
		const { measures, taken } = await measured(sized(144 * 20_001, 20_000));
		expect(measures.seconds).toBe(18);
		expect(taken).toBeLessThan(70_000);
	});
});
