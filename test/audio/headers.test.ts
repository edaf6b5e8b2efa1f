import { measure } from '../../nodes/VoiceSpeech/audio/measure';
import { recognise } from '../../nodes/VoiceSpeech/audio/recognise';
import { audioFile, countedReader } from '../support/audioFiles';
import { box, esds, ftyp, longBox, longTimes, times, track, u32 } from '../support/mp4';
import { mp3, wav } from '../support/recordings';

async function measured(bytes: Buffer, tellsSize = true) {
	const { reader, taken } = await countedReader(bytes, 64 * 1024, tellsSize);
	return { measures: await measure(reader, await recognise(reader)), taken: taken.bytes };
}

const movie = (...content: Buffer[]) => Buffer.concat([ftyp, box('moov', ...content)]);

describe("AAC's own configuration in M4A", () => {
	it.each<[string, Buffer, object]>([
		['AAC, 16 kHz, one channel', esds([0x14, 0x08]), { samplingRate: 16_000, channels: 1 }],
		[
			'in short descriptors',
			esds([0x14, 0x08], 0, [], false),
			{ samplingRate: 16_000, channels: 1 },
		],
		['7.1', esds([0x11, 0xb8]), { samplingRate: 48_000, channels: 8 }],
		// 5 bits 5 (SBR), 4 bits 8 (16 kHz), 4 bits 1, 4 bits 5 (32 kHz), 5 bits 2
		[
			'HE-AAC: its rate is the doubled one',
			esds([0x2c, 0x0a, 0x88]),
			{ samplingRate: 32_000, channels: 1 },
		],
		// 5 bits 29 (PS), 4 bits 8, 4 bits 1, 4 bits 5
		[
			'HE-AAC v2: stereo beside one channel',
			esds([0xec, 0x0a, 0x88]),
			{ samplingRate: 32_000, channels: 2 },
		],
		// 5 bits 2, 4 bits 15, 24 bits 12345, 4 bits 1
		[
			'a rate of its own',
			esds([0x17, 0x80, 0x18, 0x1c, 0x88]),
			{ samplingRate: 12_345, channels: 1 },
		],
		// 5 bits 31, 6 bits 10 (42), 4 bits 3 (48 kHz), 4 bits 2
		['an object type beyond 31', esds([0xf9, 0x46, 0x40]), { samplingRate: 48_000, channels: 2 }],
		[
			'behind a dependency',
			esds([0x14, 0x08], 0x80, [0, 2]),
			{ samplingRate: 16_000, channels: 1 },
		],
		[
			'behind an address',
			esds([0x14, 0x08], 0x40, [2, 97, 98]),
			{ samplingRate: 16_000, channels: 1 },
		],
		['behind a clock', esds([0x14, 0x08], 0x20, [0, 2]), { samplingRate: 16_000, channels: 1 }],
		[
			'behind all three',
			esds([0x14, 0x08], 0xe0, [0, 2, 1, 97, 0, 3]),
			{ samplingRate: 16_000, channels: 1 },
		],
		[
			'channels described elsewhere: those of the entry',
			esds([0x14, 0x00]),
			{ samplingRate: 16_000, channels: 2 },
		],
		[
			'nothing legible: what the entry says',
			box('esds', u32(0, 0)),
			{ samplingRate: 44_100, channels: 2 },
		],
	])('%s', async (_case, inEntry, expected) => {
		const { measures } = await measured(movie(track({ inEntry, rate: 44_100 })));
		expect(measures).toEqual({ seconds: 10, ...expected });
	});
});

describe('the index of M4A', () => {
	const known = { seconds: 10, samplingRate: 16_000, channels: 2 };

	it.each<[string, Buffer, object]>([
		['in 64-bit times', movie(track({ times: longTimes(16_000, 160_000n) })), known],
		['with the sound behind a picture', movie(track({ handler: 'vide' }), track()), known],
		['in a box with a long length', Buffer.concat([ftyp, longBox('moov', track())]), known],
		[
			'in a box that goes to the end of the file',
			Buffer.concat([ftyp, u32(0), Buffer.from('moov'), track()]),
			known,
		],
		['with other boxes between', movie(box('mvhd', u32(0)), box('udta'), track()), known],
		[
			'without a length',
			movie(track({ times: times(16_000, 0) })),
			{ samplingRate: 16_000, channels: 2 },
		],
		[
			'with a length that says "unknown"',
			movie(track({ times: times(16_000, 0xffffffff) })),
			{ samplingRate: 16_000, channels: 2 },
		],
		[
			'without a time scale',
			movie(track({ times: times(0, 7) })),
			{ samplingRate: 16_000, channels: 2 },
		],
		['without any sound', movie(track({ handler: 'vide' })), {}],
		['of nothing', movie(), {}],
		['a box shorter than itself', Buffer.concat([ftyp, u32(4), Buffer.from('moov'), track()]), {}],
	])('%s', async (_case, bytes, expected) => {
		expect((await measured(bytes)).measures).toEqual(expected);
	});

	it('is found behind 7 MB of audio, and not looked for behind 9 MB', async () => {
		const behind = (size: number) =>
			Buffer.concat([ftyp, box('mdat', Buffer.alloc(size)), box('moov', track())]);
		expect((await measured(behind(7e6))).measures).toEqual(known);
		const far = await measured(behind(9e6));
		expect(far.measures).toEqual({});
		expect(far.taken).toBeLessThan(2 * 64 * 1024);
	});
});

describe('a recording of which nobody told how long it is', () => {
	it.each<[string, Buffer, object]>([
		['WAV that tells', wav(2), { seconds: 2, samplingRate: 16_000, channels: 1 }],
		['WAV from a pipe', audioFile('espeak-streamed.wav'), { samplingRate: 22_050, channels: 1 }],
		[
			'WAV from another pipe',
			audioFile('ffmpeg-streamed.wav'),
			{ samplingRate: 8000, channels: 1 },
		],
		['RF64', audioFile('rf64.wav'), { seconds: 0.4, samplingRate: 8000, channels: 1 }],
		['MP3 at a constant rate', mp3(90), { samplingRate: 32_000, channels: 1 }],
		['M4A', movie(track()), { seconds: 10, samplingRate: 16_000, channels: 2 }],
	])('%s', async (_case, bytes, expected) => {
		expect((await measured(bytes, false)).measures).toEqual(expected);
	});
});

it('a file made of many tiny chunks is not read on and on', async () => {
	const bytes = Buffer.alloc(3e6);
	bytes.write('RIFF\0\0\0\0WAVE', 'latin1');
	const { measures, taken } = await measured(bytes);
	expect(measures).toEqual({});
	expect(taken).toBeLessThan(100_000);
});
