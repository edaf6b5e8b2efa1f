import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../../dev/lib/root.cjs';
import { readRecording } from '../../nodes/VoiceSpeech/audio/convert/recording.ts';
import { collect, startConversion } from '../support/media/conversion.mts';
import { useMediaFolder } from '../support/media/mediaFolder.mts';

const { decode, ffmpeg, getPath, openRecording, opusenc } = useMediaFolder();

/** Splits a recording into the files `part-1` and so on. */
async function split(file: string, partSeconds: number, cutsWhereQuiet = false) {
	const recording = await readRecording(...openRecording(file), async () => {});
	const parts = await recording.split(partSeconds, cutsWhereQuiet);
	if (parts === undefined) throw new Error('The recording is not split');
	const names: string[] = [];
	for await (const chunks of parts.files()) {
		const name = `part-${names.length + 1}.${parts.format.toLowerCase()}`;
		await writeFile(getPath(name), Buffer.concat(await collect(chunks)));
		names.push(name);
	}
	recording.close();
	const { seconds, samplingRate, channels } = recording.properties;
	const frequency = samplingRate! * channels!;
	return { names, times: parts.times, seconds: seconds!, frequency, channels: channels! };
}

/** What ffmpeg decodes of each file: the samples of all channels, in turn. */
const decodeSamples = async (...files: string[]) =>
	(await decode('f64le', ...files)).map(
		({ buffer, byteOffset, length }) =>
			new Float64Array(buffer.slice(byteOffset, byteOffset + length)),
	);

function countDifferent(samples: Float64Array, whole: Float64Array, tolerance: number): number {
	return samples.filter((sample, index) => !(Math.abs(sample - whole[index]!) <= tolerance)).length;
}

interface Expectation {
	partSeconds: number;
	/** By how much a sample may differ, where 1 is the highest level. */
	tolerance?: number;
	/** Whether ffmpeg may decode one frame more, because the last one is cut off. */
	isCutOff?: boolean;
}

/** Samples of the longest frame: those of FLAC have 4,608, those of lossy codecs up to 1,152. */
const longestFrame = 4608;

/** The sound of the parts, one after the other, must be that of the recording. */
async function expectParts(file: string, expectation: Expectation) {
	const { partSeconds, tolerance = 0, isCutOff = false } = expectation;
	const { names, times, seconds, frequency, channels } = await split(file, partSeconds);
	expect(names.length).toBeGreaterThan(2);
	const [whole, ...parts] = (await decodeSamples(file, ...names)) as [Float64Array, Float64Array];
	let position = 0;
	let different = 0;
	for (const [index, samples] of parts.entries()) {
		expect(times[index]!.startSeconds).toBeCloseTo(position / frequency, 4);
		different += countDifferent(samples, whole.subarray(position), tolerance);
		position += samples.length;
	}
	expect(different).toBe(0);
	const missing = whole.length - position;
	expect(missing).toBeGreaterThanOrEqual(0);
	expect(missing).toBeLessThanOrEqual(isCutOff ? longestFrame * channels : 0);
	const sum = times.reduce((total, part) => total + part.seconds, 0);
	expect(sum).toBeCloseTo(seconds, 6);
	// ffmpeg plays the last frame of MP4 to its end.
	expect(Math.abs(sum - position / frequency)).toBeLessThan((1152 * channels) / frequency);
}

/** Decoders add numbers in another order, or round them. */
const lossy = 1e-4;

const sound = '0.3*sin(2000*t*(1+t/9))*gt(sin(3*t),-0.5)+0.1*random(0)';
const mono = ['-i', 'mono.wav'];
const stereo = ['-i', 'stereo.wav'];
const video = ['-f', 'lavfi', '-i', 'testsrc=d=10:s=64x64:r=5', '-c:v', 'mpeg4'];
const mp3 = ['-c:a', 'libmp3lame'];
// A decoder makes the noise that is not transmitted (PNS), another one in each part.
const aac = ['-c:a', 'aac', '-aac_pns', '0'];
const alac = ['-c:a', 'alac'];
const fragments = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '700000'];
const tags = ['-metadata', 'title=Recording', '-metadata', 'artist=Anna'];

type Case = [
	what: string,
	file: string,
	args: string[],
	/** Where the file is cut off, as a share of its length. */
	cutOffAt?: number,
];

beforeAll(() => {
	ffmpeg('-f', 'lavfi', '-i', `aevalsrc=exprs='${sound}':d=10.0271:s=44100`, 'mono.wav');
	ffmpeg(...mono, '-af', 'pan=stereo|c0=c0|c1=-0.4*c0', 'stereo.wav');
});

async function writeFileWithFfmpeg(file: string, args: string[], cutOffAt: number): Promise<void> {
	ffmpeg(...args, file);
	const { length } = await readFile(getPath(file));
	await truncate(getPath(file), Math.round(length * cutOffAt));
}

describe('parts', () => {
	it.each<Case>([
		['WAV', 'a.wav', mono],
		['WAV of 24 bits with tags', 'a.wav', [...stereo, ...tags, '-c:a', 'pcm_s24le']],
		['ADPCM', 'a.wav', [...stereo, '-c:a', 'adpcm_ms']],
		['RF64', 'a.wav', [...stereo, '-rf64', 'always']],
		['WAV that is cut off', 'a.wav', stereo, 0.9],
		['FLAC', 'a.flac', [...mono, '-c:a', 'flac']],
		['FLAC that is cut off', 'a.flac', [...stereo, '-c:a', 'flac'], 0.9],
		['Apple Lossless', 'a.m4a', [...mono, ...tags, ...alac]],
		['Apple Lossless in fragments', 'a.mp4', [...stereo, ...alac, ...fragments]],
		['Apple Lossless in Matroska', 'a.mkv', [...stereo, ...alac]],
	])('of %s have all of its samples', async (_, file, args, cutOffAt = 1) => {
		await writeFileWithFfmpeg(file, args, cutOffAt);
		await expectParts(file, { partSeconds: 2.5, isCutOff: cutOffAt < 1 });
	});

	it.each<Case>([
		['MP3 of 32k', 'a.mp3', [...mono, ...mp3, '-b:a', '32k']],
		['MP3 of 32k in stereo', 'a.mp3', [...stereo, ...mp3, '-b:a', '32k']],
		['MP3 of 320k', 'a.mp3', [...mono, ...mp3, '-b:a', '320k']],
		['MP3 of 320k in stereo', 'a.mp3', [...stereo, ...mp3, '-b:a', '320k']],
		['MP3 of 8k', 'a.mp3', [...mono, '-ar', '24000', ...mp3, '-b:a', '8k']],
		['VBR MP3 with tags', 'a.mp3', [...stereo, ...tags, '-write_id3v1', '1', ...mp3, '-q:a', '6']],
		['VBR MP3 without a header', 'a.mp3', [...mono, ...mp3, '-q:a', '9', '-write_xing', '0']],
		['MP3 that is cut off', 'a.mp3', [...stereo, ...mp3, '-b:a', '64k'], 0.9],
		['AAC', 'a.m4a', [...mono, ...tags, ...aac]],
		['AAC of a variable bit rate', 'a.m4a', [...stereo, ...aac, '-q:a', '0.5']],
		['AAC in ADTS', 'a.aac', [...stereo, ...aac]],
		['AAC with video', 'a.mp4', [...video, ...stereo, ...aac]],
		['AAC in fragments', 'a.mp4', [...stereo, ...aac, ...fragments]],
		['AAC in fragments that are cut off', 'a.mp4', [...stereo, ...aac, ...fragments], 0.9],
		['AAC in Matroska', 'a.mkv', [...video, ...stereo, ...aac]],
	])('of %s sound like it, their first frames too', async (_, file, args, cutOffAt = 1) => {
		await writeFileWithFfmpeg(file, args, cutOffAt);
		const isCutOff = cutOffAt < 1;
		await expectParts(file, { partSeconds: 2.5, tolerance: lossy, isCutOff });
	});

	it.each([
		...['mpeg-1-32000', 'mpeg-1-48000', 'mpeg-2-22050', 'mpeg-2.5-8000', 'mpeg-2.5-12000'],
		...['id3v2', 'large-cover', 'joint-stereo', 'lame-vbr', 'silence-first', 'vbr-no-header'],
	])('of the test file %s.mp3 sound like it', async (name) => {
		await copyFile(path.join(root, `test/audio/files/${name}.mp3`), getPath('a.mp3'));
		await expectParts('a.mp3', { partSeconds: 0.9, tolerance: lossy });
	});

	it.each<Case>([
		['OGG', 'a.ogg', ['mono.wav']],
		['OGG in stereo', 'a.ogg', ['--bitrate', '24', 'stereo.wav']],
		['OGG that is cut off', 'a.ogg', ['mono.wav'], 0.8],
		['WebM', 'a.webm', ['mono.wav']],
		['WebM that is cut off', 'a.webm', ['mono.wav'], 0.8],
		['MP4', 'a.mp4', ['stereo.wav']],
	])(
		'of Opus in %s have all samples of the WAV file that is sent',
		async (_, file, args, cutOffAt = 1) => {
			opusenc(...args, 'encoded.ogg');
			await writeFileWithFfmpeg(file, ['-i', 'encoded.ogg', '-c', 'copy'], cutOffAt);
			// test/full/convert compares it with ffmpeg.
			const sent = await startConversion(...openRecording(file));
			await writeFile(getPath('sent.wav'), Buffer.concat(await collect(sent.chunks())));
			for (const cutsWhereQuiet of [false, true]) {
				const { names, times } = await split(file, 2.5, cutsWhereQuiet);
				const [whole, ...decoded] = await decode('s16le', 'sent.wav', ...names);
				expect(Buffer.concat(decoded).equals(whole!)).toBe(true);
				const starts = decoded.map(
					(_, index) => Buffer.concat(decoded.slice(0, index)).length / 32_000,
				);
				expect(times.map(({ startSeconds }) => startSeconds)).toEqual(
					starts.map((start) => expect.closeTo(start, 4) as number),
				);
			}
		},
	);
});
