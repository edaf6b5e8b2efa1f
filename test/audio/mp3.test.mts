import { sniffHead } from '../../nodes/VoiceSpeech/audio/format.ts';
import { probeBytes, readAudioFile } from '../support/media/audioFiles.mts';
import { createMp3 } from '../support/media/recordings.mts';

/** A frame of silence with these first bytes. By default, it is as long as the frames of `createMp3()`. */
function createFrame(header: number[], length = 144): Buffer {
	const bytes = Buffer.alloc(length);
	bytes.set(header);
	return bytes;
}

const header = Buffer.from([0xff, 0xfb, 0x18, 0xc4]);
const cutHeader = header.subarray(0, 3);
const longerFrame = createFrame([0xff, 0xfb, 0x1a], 145);
const other = Buffer.alloc(10, 1);

it.each<[what: string, parts: Buffer[]]>([
	['the header of one frame', [header]],
	['three frames and then something else', [createMp3(3), other]],
	['two frames and a header after something else', [other, createMp3(2), header]],
	['three frames that are one byte longer', [other, longerFrame, longerFrame, longerFrame]],
	['three frames after a byte as of a frame', [other, Buffer.of(0xff, 0), createMp3(3)]],
])('recognizes %s as MP3', (_, parts) => {
	expect(sniffHead(Buffer.concat(parts))?.name).toBe('MP3');
});

it.each<[what: string, parts: Buffer[]]>([
	['the cut header of a frame', [cutHeader]],
	['two frames and then something else', [createMp3(2), other]],
	['two frames and a cut header after something else', [other, createMp3(2), cutHeader]],
	['two frames and one of another layer', [other, createMp3(2), createFrame([0xff, 0xfd, 0x18])]],
	['two frames and one of another rate', [other, createMp3(2), createFrame([0xff, 0xfb, 0x14])]],
	['a frame of a reserved rate', [createFrame([0xff, 0xfb, 0x1c])]],
	['a frame of a reserved version', [createFrame([0xff, 0xeb, 0x18])]],
])('does not recognize %s as MP3', (_, parts) => {
	expect(sniffHead(Buffer.concat(parts))).toBeUndefined();
});

// test/audio/probe.test.mts reads Xing and Info of real encoders. No free encoder writes VBRI.

/** A first frame with the header of Fraunhofer's encoder for 500 frames (18 seconds), and this many frames after it. */
function createVbriFile(audioBytes: number, frames: number): Buffer {
	const first = createMp3(1);
	first.write('VBRI', 36);
	first.writeUInt32BE(audioBytes, 46);
	first.writeUInt32BE(500, 50);
	return Buffer.concat([first, createMp3(frames)]);
}

it('finds the length of MP3 in a VBRI header in the first bytes', async () => {
	const { properties, taken } = await probeBytes(createVbriFile(144 * 20_001, 20_000));
	expect(properties).toEqual({ seconds: 18, samplingRate: 32_000, channels: 1 });
	expect(taken).toBeLessThan(70_000);
});

it.each<{ reason: string; bytes: Buffer }>([
	{ reason: 'it has no header', bytes: createMp3(40) },
	{ reason: 'most of it is missing', bytes: createVbriFile(144 * 500, 40) },
	{ reason: 'more comes after it', bytes: createVbriFile(144 * 41, 80) },
	{ reason: 'its header is cut off', bytes: createVbriFile(144, 0).subarray(0, 53) },
	{ reason: 'a Xing header is cut off', bytes: readAudioFile('vbr.mp3').subarray(0, 50) },
])('does not find the length of MP3 if $reason', async ({ bytes }) => {
	expect((await probeBytes(bytes)).properties.seconds).toBeUndefined();
});
