import { audioFile, measured } from '../support/audioFiles';
import { box, esds, ftyp, longBox, longTimes, movie, times, track, u32 } from '../support/mp4';
import { mp3, wav } from '../support/recordings';

describe('the index of M4A', () => {
	const described = { samplingRate: 16_000, channels: 2 };
	const known = { seconds: 10, ...described };
	const moov = Buffer.from('moov');

	/** The times are at the very end, cut to this length in bytes. */
	function timesLast(content: Buffer, length: number): Buffer {
		const whole = movie(track({ times: content, areTimesLast: true }));
		return whole.subarray(0, whole.length - content.length + length);
	}

	const long = longTimes(16_000, 160_000n);
	const played = (duration: number) => movie(box('mvhd', times(1000, duration)), track());

	it.each<{ what: string; bytes: Buffer; expected: object }>([
		{ what: '64-bit times', bytes: movie(track({ times: long })), expected: known },
		{
			what: 'sound behind a picture',
			bytes: movie(track({ handler: 'vide' }), track()),
			expected: known,
		},
		{ what: 'sound behind an empty track', bytes: movie(box('trak'), track()), expected: known },
		{
			what: 'a box with a long length',
			bytes: Buffer.concat([ftyp, longBox('moov', track())]),
			expected: known,
		},
		{
			what: 'a box to the end of the file',
			bytes: Buffer.concat([ftyp, u32(0), moov, track()]),
			expected: known,
		},
		{
			what: 'other boxes between',
			bytes: movie(box('mvhd'), box('udta'), track()),
			expected: known,
		},
		{ what: 'a movie of the same duration', bytes: played(10_299), expected: known },
		{ what: 'a longer movie, by an edit list', bytes: played(10_301), expected: described },
		{ what: 'a shorter movie, by an edit list', bytes: played(9699), expected: described },
		{ what: 'fragments may follow', bytes: movie(track(), box('mvex')), expected: described },
		{ what: 'no duration', bytes: movie(track({ times: times(16_000, 0) })), expected: described },
		{
			what: 'an unknown duration',
			bytes: movie(track({ times: times(16_000, 0xffffffff) })),
			expected: described,
		},
		{ what: 'no time scale', bytes: movie(track({ times: times(0, 7) })), expected: described },
		{ what: 'no rate', bytes: movie(track({ rate: 0 })), expected: { seconds: 10, channels: 2 } },
		{
			what: 'no channels',
			bytes: movie(track({ channels: 0 })),
			expected: { seconds: 10, samplingRate: 16_000 },
		},
		{ what: 'no sound', bytes: movie(track({ handler: 'vide' })), expected: {} },
		{ what: 'no tracks', bytes: movie(), expected: {} },
		{ what: 'no tracks inside', bytes: Buffer.concat([movie(), track()]), expected: {} },
		{
			what: 'a box shorter than its length',
			bytes: Buffer.concat([ftyp, u32(4), moov, track()]),
			expected: {},
		},
		{
			what: 'a box shorter than its header',
			bytes: Buffer.concat([ftyp, u32(4), box('moov', track())]),
			expected: {},
		},
		{
			what: 'a long length that is cut off',
			bytes: Buffer.concat([ftyp, u32(1), moov]),
			expected: {},
		},
		{
			what: 'cut off in the sample entry',
			bytes: movie(track()).subarray(0, -1),
			expected: { seconds: 10 },
		},
		{
			what: 'cut off behind the times',
			bytes: timesLast(times(16_000, 160_000), 20),
			expected: known,
		},
		{
			what: 'cut off in the times',
			bytes: timesLast(times(16_000, 160_000), 19),
			expected: described,
		},
		{ what: 'cut off in 64-bit times', bytes: timesLast(long, 31), expected: described },
	])('reads the index of M4A: $what', async ({ bytes, expected }) => {
		expect((await measured(bytes)).measures).toEqual(expected);
	});

	it('finds the index of M4A behind 7 MB of audio, and does not look for it behind 9 MB', async () => {
		const behind = (size: number) =>
			Buffer.concat([ftyp, box('mdat', Buffer.alloc(size)), box('moov', track())]);
		expect((await measured(behind(7e6))).measures).toEqual(known);
		const far = await measured(behind(9e6));
		expect(far.measures).toEqual({});
		expect(far.taken).toBeLessThan(2 * 64 * 1024);
	});

	it('reads nothing behind the index of M4A', async () => {
		const audio = (size: number) => box('mdat', Buffer.alloc(size));
		const index = box('moov', track({ inEntry: esds([0x14, 0x08]) }));
		const { measures, taken } = await measured(
			Buffer.concat([ftyp, audio(1e6), index, audio(3e6)]),
		);
		expect(measures).toEqual({ ...known, channels: 1 });
		expect(taken).toBeLessThan(1.2e6);
	});
});

it('finds no properties in FLAC without a sampling rate', async () => {
	const bytes = audioFile('mono.flac');
	bytes.writeUIntBE(bytes.readUIntBE(18, 3) & 15, 18, 3);
	expect((await measured(bytes)).measures).toEqual({});
});

it.each<{ what: string; bytes: Buffer; expected: object }>([
	{
		what: 'WAV with its length',
		bytes: wav(2),
		expected: { seconds: 2, samplingRate: 16_000, channels: 1 },
	},
	{
		what: 'WAV from espeak',
		bytes: audioFile('espeak-streamed.wav'),
		expected: { samplingRate: 22_050, channels: 1 },
	},
	{
		what: 'WAV from ffmpeg',
		bytes: audioFile('ffmpeg-streamed.wav'),
		expected: { samplingRate: 8000, channels: 1 },
	},
	{
		what: 'RF64',
		bytes: audioFile('rf64.wav'),
		expected: { seconds: 0.4, samplingRate: 8000, channels: 1 },
	},
	{
		what: 'MP3 at a constant rate',
		bytes: mp3(90),
		expected: { samplingRate: 32_000, channels: 1 },
	},
	{
		what: 'M4A',
		bytes: movie(track()),
		expected: { seconds: 10, samplingRate: 16_000, channels: 2 },
	},
])('measures a recording of unknown size: $what', async ({ bytes, expected }) => {
	expect((await measured(bytes, false)).measures).toEqual(expected);
});
