import { readFile, writeFile } from 'node:fs/promises';

import type { DecodedRate } from '../../nodes/VoiceSpeech/audio/convert/track.ts';
import { collect, startConversion } from '../support/media/conversion.mts';
import { useMediaFolder } from '../support/media/mediaFolder.mts';

const { decode: decodeFiles, ffmpeg, getPath, openRecording, opusenc } = useMediaFolder();

async function convert(file: string, wavRate: DecodedRate = 16_000) {
	const audio = await startConversion(...openRecording(file), { wavRate });
	const wav = Buffer.concat(await collect(audio.chunks()));
	expect(wav).toHaveLength(audio.size);
	expect(wav.readUInt32LE(24)).toBe(wavRate);
	return readSamples(wav.subarray(44));
}

const readSamples = (bytes: Buffer) =>
	Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index));

/** Decodes at 16 and at 48 kHz, with libopus, because ffmpeg's own decoder shifts what is coded as speech. */
async function decode(file: string): Promise<Int16Array[]> {
	const rates = [16_000, 48_000];
	const createOutput = (rate: number) => {
		const format = ['-ac', '1', '-ar', `${rate}`, '-f', 's16le'];
		return ['-map', '0:a:0', ...format, `${rate}.raw`];
	};
	ffmpeg('-c:a', 'libopus', '-i', file, ...rates.flatMap(createOutput));
	const decoded = rates.map(async (rate) => readSamples(await readFile(getPath(`${rate}.raw`))));
	return await Promise.all(decoded);
}

function computeLargestDifference(one: Int16Array, other: Int16Array): number {
	return one.reduce((most, sample, index) => Math.max(most, Math.abs(sample - other[index]!)), 0);
}

/** The level in dB of each 100 ms at 16 kHz, of those that are not silent. */
function computeLevels(samples: Int16Array): number[] {
	const length = 1600;
	return Array.from({ length: Math.floor(samples.length / length) }, (_, index) => {
		const part = samples.subarray(index * length, (index + 1) * length);
		const power = part.reduce((sum, sample) => sum + sample ** 2, 0) / length;
		return 10 * Math.log10(Math.max(power, 1000));
	});
}

/** Tones, and a sweep with pauses. It lasts 3.03 s, which is not a multiple of any frame. */
const sound = [
	...[300, 1100, 2500, 3700].map((frequency) => `0.05*sin(2*PI*${frequency}*t)`),
	'0.2*sin(2*PI*t*(200+500*t))*gt(sin(4*t),0)',
].join('+');

beforeAll(() => {
	ffmpeg('-f', 'lavfi', '-i', `aevalsrc=exprs='${sound}':d=3.0271:s=48000`, 'mono.wav');
	ffmpeg('-i', 'mono.wav', '-af', 'pan=stereo|c0=c0|c1=0.4*c0', 'stereo.wav');
	ffmpeg('-i', 'mono.wav', '-af', "volume=0:enable='between(t,0.5,2.5)'", 'pause.wav');
});

interface Expected {
	/** Largest difference of a level at 16 kHz, in dB. */
	levelsWithin?: number;
	/** Largest difference of a sample at 48 kHz. */
	tolerance?: number;
}

/** The samples must be those of ffmpeg at 48 kHz, and the levels at 16 kHz. */
async function expectLikeFfmpeg(
	file: string,
	{ levelsWithin = 0.5, tolerance = 2 }: Expected = {},
) {
	const [expectedAt16kHz, expected] = (await decode(file)) as [Int16Array, Int16Array];
	const samples = await convert(file, 48_000);
	expect(samples.length).toBe(expected.length);
	expect(computeLargestDifference(samples, expected)).toBeLessThanOrEqual(tolerance);
	const at16kHz = await convert(file, 16_000);
	expect(at16kHz.length).toBe(expectedAt16kHz.length);
	const expectedLevels = computeLevels(expectedAt16kHz);
	for (const [place, level] of computeLevels(at16kHz).entries()) {
		expect(Math.abs(level - expectedLevels[place]!)).toBeLessThan(levelsWithin);
	}
}

describe('a conversion of Opus in OGG and WebM', () => {
	it.each([
		{ frame: '2.5', rate: '96', what: '--music' },
		{ frame: '5', rate: '32', what: '--music' },
		{ frame: '10', rate: '16', what: '--speech' },
		{ frame: '20', rate: '96', what: '--music' },
		{ frame: '20', rate: '16', what: '--speech' },
		{ frame: '40', rate: '32', what: '--speech' },
		{ frame: '60', rate: '16', what: '--speech' },
	])(
		'decodes frames of $frame ms like ffmpeg, $rate kbit/s, $what',
		async ({ frame, rate, what }) => {
			opusenc('--framesize', frame, '--bitrate', rate, what, 'mono.wav', 'mono.opus');
			await expectLikeFfmpeg('mono.opus');
		},
	);

	// The values of libopus for 4, 8, 12 and 20 kHz; its request OPUS_SET_BANDWIDTH has the number 4008.
	it.each([1101, 1103, 1104, 1105])('decodes the bandwidth %d like ffmpeg', async (code) => {
		opusenc('--bitrate', '32', '--set-ctl-int', `4008=${code}`, 'mono.wav', 'band.opus');
		await expectLikeFfmpeg('band.opus');
	});

	it.each(['long.ogg', 'long.webm', 'long.mkv'])(
		'decodes frames of 120 ms in %s like ffmpeg',
		async (file) => {
			const options = ['-c:a', 'libopus', '-frame_duration', '120', '-b:a', '24k'];
			ffmpeg('-i', 'mono.wav', ...options, file);
			await expectLikeFfmpeg(file);
		},
	);

	it('decodes two channels as one', async () => {
		opusenc('--bitrate', '32', 'stereo.wav', 'stereo.opus');
		// The channels are mixed before the decoder's last steps, which makes a difference of some bits.
		await expectLikeFfmpeg('stereo.opus', { tolerance: 400, levelsWithin: 1 });
	});

	it('decodes silence that is not transmitted like ffmpeg', async () => {
		opusenc('--speech', '--bitrate', '16', '--set-ctl-int', '4016=1', 'pause.wav', 'dtx.opus');
		// In the pause, each version of libopus makes faint noise of its own.
		await expectLikeFfmpeg('dtx.opus', { tolerance: 200 });
	});

	it.each<[what: string, file: string, options: string[]]>([
		['live WebM, whose sizes are not known', 'live.webm', ['-live', '1']],
		['short clusters', 'short.mkv', ['-cluster_time_limit', '100']],
		['an OGG file with one packet on each page', 'copied.ogg', ['-page_duration', '1']],
	])('decodes %s like ffmpeg', async (_, file, options) => {
		opusenc('mono.wav', 'mono.opus');
		ffmpeg('-i', 'mono.opus', '-c', 'copy', ...options, file);
		await expectLikeFfmpeg(file);
	});

	it('decodes a part that was cut out of a recording like ffmpeg', async () => {
		opusenc('mono.wav', 'mono.opus');
		ffmpeg('-ss', '1', '-i', 'mono.opus', '-t', '1.234', '-c', 'copy', 'part.ogg');
		await expectLikeFfmpeg('part.ogg');
		ffmpeg('-ss', '1', '-i', 'mono.opus', '-t', '1.234', '-c', 'copy', 'part.webm');
		await expectLikeFfmpeg('part.webm');
	});

	it('decodes a recording that is cut off like ffmpeg', async () => {
		opusenc('--bitrate', '32', '--max-delay', '100', 'mono.wav', 'mono.opus');
		ffmpeg('-i', 'mono.opus', '-c', 'copy', 'mono.webm');
		for (const name of ['mono.opus', 'mono.webm']) {
			const whole = await readFile(getPath(name));
			await writeFile(getPath(`cut-${name}`), whole.subarray(0, 7001));
			await expectLikeFfmpeg(`cut-${name}`);
		}
	});

	it('skips the video of a recording with sound', async () => {
		const video = ['-f', 'lavfi', '-i', 'testsrc=d=3:s=640x360:r=15'];
		const codecs = ['-c:v', 'libvpx', '-b:v', '1M', '-deadline', 'realtime', '-c:a', 'libopus'];
		ffmpeg(...video, '-i', 'mono.wav', ...codecs, 'video.webm');
		await expectLikeFfmpeg('video.webm');
	});

	it('decodes recordings in a row like each on its own', async () => {
		opusenc('--bitrate', '16', 'mono.wav', 'first.opus');
		opusenc('--bitrate', '64', '--framesize', '60', 'stereo.wav', 'second.opus');
		const files = ['first.opus', 'second.opus'].map(async (file) => await readFile(getPath(file)));
		await writeFile(getPath('chain.opus'), Buffer.concat(await Promise.all(files)));
		const [chain, first, second] = await Promise.all(
			['chain.opus', 'first.opus', 'second.opus'].map(async (file) => await convert(file)),
		);
		const expected = [...first!, ...second!];
		const { length } = (await decode('chain.opus'))[0]!;
		expect(chain!.length).toBe(length);
		// Each is a third of a sample short of its rounded length.
		expect(expected.length - length).toBe(1);
		expect([...chain!]).toEqual(expected.slice(0, -1));
	});
});

const video = ['-f', 'lavfi', '-i', 'testsrc=d=3:s=64x64:r=5', '-c:v', 'mpeg4'];

it.each<[what: string, options: string[]]>([
	['AAC', ['-c:a', 'aac']],
	['Apple Lossless', ['-c:a', 'alac']],
	['AAC with video', [...video, '-c:a', 'aac']],
])('copies Matroska with %s bit for bit', async (_, options) => {
	ffmpeg('-i', 'stereo.wav', ...options, 'copy.mkv');
	const audio = await startConversion(...openRecording('copy.mkv'));
	const chunks = await collect(audio.chunks());
	await writeFile(getPath('copy.m4a'), Buffer.concat(chunks));
	const [copied, original] = await decodeFiles('s16le', 'copy.m4a', 'copy.mkv');
	expect(copied!.equals(original!)).toBe(true);
});
