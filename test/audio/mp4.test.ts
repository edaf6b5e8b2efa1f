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

	it.each<[string, Buffer, object]>([
		['64-bit times', movie(track({ times: long })), known],
		['sound behind a picture', movie(track({ handler: 'vide' }), track()), known],
		['sound behind an empty track', movie(box('trak'), track()), known],
		['a box with a long length', Buffer.concat([ftyp, longBox('moov', track())]), known],
		['a box to the end of the file', Buffer.concat([ftyp, u32(0), moov, track()]), known],
		['other boxes between', movie(box('mvhd'), box('udta'), track()), known],
		['a movie of the same duration', played(10_299), known],
		['a longer movie, by an edit list', played(10_301), described],
		['a shorter movie, by an edit list', played(9699), described],
		['fragments may follow', movie(track(), box('mvex')), described],
		['no duration', movie(track({ times: times(16_000, 0) })), described],
		['an unknown duration', movie(track({ times: times(16_000, 0xffffffff) })), described],
		['no time scale', movie(track({ times: times(0, 7) })), described],
		['no rate', movie(track({ rate: 0 })), { seconds: 10, channels: 2 }],
		['no channels', movie(track({ channels: 0 })), { seconds: 10, samplingRate: 16_000 }],
		['no sound', movie(track({ handler: 'vide' })), {}],
		['no tracks', movie(), {}],
		['no tracks inside', Buffer.concat([movie(), track()]), {}],
		['a box shorter than its length', Buffer.concat([ftyp, u32(4), moov, track()]), {}],
		['a box shorter than its header', Buffer.concat([ftyp, u32(4), box('moov', track())]), {}],
		['a long length that is cut off', Buffer.concat([ftyp, u32(1), moov]), {}],
		['cut off in the sample entry', movie(track()).subarray(0, -1), { seconds: 10 }],
		['cut off behind the times', timesLast(times(16_000, 160_000), 20), known],
		['cut off in the times', timesLast(times(16_000, 160_000), 19), described],
		['cut off in 64-bit times', timesLast(long, 31), described],
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

	it('is not read on behind it', async () => {
		const audio = (size: number) => box('mdat', Buffer.alloc(size));
		const index = box('moov', track({ inEntry: esds([0x14, 0x08]) }));
		const { measures, taken } = await measured(
			Buffer.concat([ftyp, audio(1e6), index, audio(3e6)]),
		);
		expect(measures).toEqual({ ...known, channels: 1 });
		expect(taken).toBeLessThan(1.2e6);
	});
});

it('FLAC without a sampling rate has no properties', async () => {
	const bytes = audioFile('mono.flac');
	bytes.writeUIntBE(bytes.readUIntBE(18, 3) & 15, 18, 3);
	expect((await measured(bytes)).measures).toEqual({});
});

it.each<[string, Buffer, object]>([
	['WAV with its length', wav(2), { seconds: 2, samplingRate: 16_000, channels: 1 }],
	['WAV from espeak', audioFile('espeak-streamed.wav'), { samplingRate: 22_050, channels: 1 }],
	['WAV from ffmpeg', audioFile('ffmpeg-streamed.wav'), { samplingRate: 8000, channels: 1 }],
	['RF64', audioFile('rf64.wav'), { seconds: 0.4, samplingRate: 8000, channels: 1 }],
	['MP3 at a constant rate', mp3(90), { samplingRate: 32_000, channels: 1 }],
	['M4A', movie(track()), { seconds: 10, samplingRate: 16_000, channels: 2 }],
])('a recording of unknown size: %s', async (_case, bytes, expected) => {
	expect((await measured(bytes, false)).measures).toEqual(expected);
});
