import { readFile, writeFile } from 'node:fs/promises';

import { collect, startConversion } from '../support/media/conversion.mts';
import { useMediaFolder } from '../support/media/mediaFolder.mts';

const { decode, ffmpeg, getPath, openRecording, opusenc } = useMediaFolder();

async function convert(file: string) {
	const audio = await startConversion(...openRecording(file), { wavRate: 48_000 });
	const bytes = Buffer.concat(await collect(audio.chunks()));
	expect(bytes).toHaveLength(audio.size);
	return { format: audio.format, bytes };
}

const readSamples = (bytes: Buffer) =>
	Int16Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(2 * index));

/**
 * Converts a file to WAV, whose samples must be those of ffmpeg with libopus, because ffmpeg's own decoder shifts what is
 * coded as speech.
 *
 * @param tolerance largest difference of a sample
 * @returns the samples, and how many more ffmpeg decodes
 */
async function expectLikeFfmpeg(file: string, tolerance = 2) {
	const { bytes } = await convert(file);
	expect(bytes.readUInt32LE(24)).toBe(48_000);
	const samples = readSamples(bytes.subarray(44));
	const format = ['-map', '0:a:0', '-ac', '1', '-ar', '48000', '-f', 's16le'];
	const expected = readSamples(ffmpeg('-c:a', 'libopus', '-i', file, ...format, '-'));
	const isDifferent = (sample: number, index: number) =>
		!(Math.abs(sample - expected[index]!) <= tolerance);
	expect(samples.findIndex(isDifferent)).toBe(-1);
	return { samples, missing: expected.length - samples.length };
}

/** Converts a file to M4A, which must sound bit for bit like this one. */
async function expectSameSound(file: string, expectedFile = file): Promise<void> {
	const { format, bytes } = await convert(file);
	expect(format).toBe('M4A');
	await writeFile(getPath('converted.m4a'), bytes);
	const [found, expected] = await decode('s16le', 'converted.m4a', expectedFile);
	expect(expected!.length).toBeGreaterThan(40_000);
	expect(found!.equals(expected!)).toBe(true);
}

/** Tones, and a sweep with pauses. It lasts 3.03 s, which is not a multiple of any frame. */
const sound = [
	...[300, 1100, 2500, 3700].map((frequency) => `0.05*sin(2*PI*${frequency}*t)`),
	'0.2*sin(2*PI*t*(200+500*t))*gt(sin(4*t),0)',
].join('+');

const noise = 'aevalsrc=0.3*sin(2000*t*(1+t/9))+0.1*random(0):d=5:s=44100';
const video = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=25:duration=5'];
const mono = ['-f', 'lavfi', '-i', noise];
const stereo = ['-f', 'lavfi', '-i', `${noise},aeval=val(0)|-0.5*val(0):c=stereo`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p'];

describe('a conversion of Opus', () => {
	beforeAll(() => {
		ffmpeg('-f', 'lavfi', '-i', `aevalsrc=exprs='${sound}':d=3.0271:s=48000`, 'mono.wav');
		ffmpeg('-i', 'mono.wav', '-af', 'pan=stereo|c0=c0|c1=0.4*c0', 'stereo.wav');
		ffmpeg('-i', 'mono.wav', '-af', "volume=0:enable='between(t,0.5,2.5)'", 'pause.wav');
		opusenc('--bitrate', '32', '--max-delay', '100', 'mono.wav', 'mono.opus');
	});

	// The number is that of OPUS_SET_DTX.
	const discontinuous = ['--speech', '--bitrate', '16', '--set-ctl-int', '4016=1'];

	it.each<[what: string, args: string[], tolerance?: number]>([
		['frames of 2.5 ms', ['--framesize', '2.5', '--bitrate', '96', '--music', 'mono.wav']],
		['frames of 20 ms', ['--bitrate', '96', '--music', 'mono.wav']],
		['frames of 60 ms', ['--framesize', '60', '--bitrate', '16', '--speech', 'mono.wav']],
		// The channels are mixed before the decoder's last steps, which makes a difference of some bits.
		['two channels', ['--bitrate', '32', 'stereo.wav'], 400],
		// In the pause, each version of libopus makes faint noise of its own.
		['silence that is not transmitted', [...discontinuous, 'pause.wav'], 200],
	])('in OGG decodes %s like ffmpeg', async (_, args, tolerance = 2) => {
		opusenc(...args, 'encoded.opus');
		expect((await expectLikeFfmpeg('encoded.opus', tolerance)).missing).toBe(0);
	});

	const encoded = ['-i', 'mono.wav', '-c:a', 'libopus'];
	const copied = ['-i', 'mono.opus', '-c', 'copy'];
	const part = ['-ss', '1', ...copied, '-t', '1.234'];
	const withVideo = [...video, ...encoded, '-c:v', 'libvpx', '-deadline', 'realtime'];

	it.each<[what: string, file: string, args: string[]]>([
		['OGG with frames of 120 ms', 'long.ogg', [...encoded, '-frame_duration', '120']],
		['OGG with one packet on each page', 'pages.ogg', [...copied, '-page_duration', '1']],
		['a part of OGG', 'part.ogg', part],
		['WebM with frames of 120 ms', 'long.webm', [...encoded, '-frame_duration', '120']],
		['live WebM, whose sizes are not known', 'live.webm', [...copied, '-live', '1']],
		['WebM with video', 'video.webm', withVideo],
		['a part of WebM', 'part.webm', part],
		['Matroska with short clusters', 'short.mkv', [...copied, '-cluster_time_limit', '100']],
	])('decodes %s like ffmpeg', async (_, file, args) => {
		ffmpeg(...args, file);
		expect((await expectLikeFfmpeg(file)).missing).toBe(0);
	});

	it.each(['mono.opus', 'mono.webm'])('decodes %s like ffmpeg if it is cut off', async (file) => {
		ffmpeg(...copied, 'mono.webm');
		const whole = await readFile(getPath(file));
		await writeFile(getPath(`cut-${file}`), whole.subarray(0, 7001));
		expect((await expectLikeFfmpeg(`cut-${file}`)).missing).toBe(0);
	});

	it.each<[file: string, args: string[]]>([
		['opus.mp4', mono],
		['opus-fragments.mp4', [...mono, '-movflags', 'frag_keyframe+empty_moov']],
		['opus-video.mp4', [...video, ...mono, ...h264]],
		['opus-late.mp4', [...video, '-itsoffset', '1', ...mono, ...h264]],
	])('decodes %s like ffmpeg, which decodes the last packet to its end', async (file, args) => {
		ffmpeg(...args, '-c:a', 'libopus', file);
		const { samples, missing } = await expectLikeFfmpeg(file);
		expect(samples).toHaveLength(5 * 48_000);
		expect(missing).toBeLessThan(960);
	});
});

describe('a conversion of AAC or Apple Lossless', () => {
	const copy = ['-i', 'video.mp4', '-c', 'copy'];
	const movie = [...video, ...stereo, ...h264];
	const cases: Record<string, string[]> = {
		'index-last.mp4': copy,
		'keyframes.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov'],
		'moof-base.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
		'no-base.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov+omit_tfhd_offset'],
		'separate.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov+separate_moof'],
		'hybrid.mp4': [...copy, '-movflags', 'frag_keyframe'],
		'dash.mp4': [...copy, '-movflags', 'dash+frag_keyframe'],
		'video.mov': copy,
		'video.3gp': [...video, ...mono, ...h264, '-c:a', 'aac', '-ar', '16000'],
		'audio-only.mov': [...mono, '-c:a', 'aac'],
		'lossless.mov': [...movie, '-c:a', 'alac'],
		'lossless-24.mov': [...movie, '-c:a', 'alac', '-sample_fmt', 's32p', '-ar', '96000'],
		'surround.mp4': [...movie, '-c:a', 'aac', '-ac', '6'],
		'eight.mp4': [...movie, '-c:a', 'aac', '-ac', '1', '-ar', '8000'],
		'no-edits.mp4': [...copy, '-use_editlist', '0'],
		'late.mp4': ['-i', 'video.mp4', '-itsoffset', '1.3', ...copy, '-map', '0:v', '-map', '1:a'],
		'early.mp4': ['-itsoffset', '1.3', '-i', 'video.mp4', ...copy, '-map', '0:v', '-map', '1:a'],
		'cut.mp4': ['-ss', '2.2', ...copy],
		'cut.mov': ['-ss', '2.2', ...copy, '-t', '1.5'],
		'chapters.mp4': ['-i', 'video.mp4', '-i', 'chapters.txt', '-map_chapters', '1', '-c', 'copy'],
		'stereo.aac': [...stereo, '-c:a', 'aac'],
		'eight.aac': [...mono, '-c:a', 'aac', '-ar', '8000'],
		'surround.aac': [...movie, '-vn', '-c:a', 'aac', '-ac', '6'],
		'tagged.aac': [...mono, '-c:a', 'aac', '-write_id3v2', '1', '-metadata', 'title=Meeting'],
		'aac.mkv': [...stereo, '-c:a', 'aac'],
		'lossless.mkv': [...stereo, '-c:a', 'alac'],
		'video.mkv': [...movie, '-c:a', 'aac'],
	};

	beforeAll(async () => {
		ffmpeg(...movie, '-c:a', 'aac', 'video.mp4');
		const chapter = '[CHAPTER]\nTIMEBASE=1/1\nSTART=1\nEND=3\ntitle=One\n';
		await writeFile(getPath('chapters.txt'), `;FFMETADATA1\n${chapter}`);
	});

	it.each(Object.entries(cases))(
		'converts %s to M4A that decodes bit for bit alike',
		async (file, args) => {
			ffmpeg(...args, file);
			await expectSameSound(file);
		},
	);

	it('decodes fragments with an edit list without the priming that ffmpeg plays', async () => {
		ffmpeg(...copy, '-movflags', 'frag_keyframe+delay_moov', 'delayed.mp4');
		await expectSameSound('delayed.mp4', 'video.mp4');
	});

	// ffmpeg writes these fragments without durations, and drops packets when it reads them.
	it('converts a fragment for each packet to M4A that decodes bit for bit alike', async () => {
		ffmpeg(...copy, '-movflags', 'frag_every_frame+empty_moov', 'every-packet.mp4');
		ffmpeg(...copy, '-movflags', 'frag_keyframe+empty_moov', 'keyframes.mp4');
		await expectSameSound('every-packet.mp4', 'keyframes.mp4');
	});

	it('converts AAC that begins in the middle of a frame to M4A that decodes bit for bit alike', async () => {
		ffmpeg(...stereo, '-c:a', 'aac', 'stereo.aac');
		const stream = await readFile(getPath('stereo.aac'));
		await writeFile(getPath('cut-out.aac'), stream.subarray(1000));
		await expectSameSound('cut-out.aac');
	});
});
