import { readFile, truncate, writeFile } from 'node:fs/promises';

import {
	convertAudio,
	type ConversionOptions,
	type ConvertedAudio,
} from '../../nodes/VoiceSpeech/audio/convert/convertAudio.ts';
import { listBoxes, findBox } from '../../nodes/VoiceSpeech/audio/isobmff/boxes.ts';
import { createBox, u32 } from '../support/media/isobmff.mts';
import { createEditList } from '../support/media/movies.mts';
import { collect, readObstacle, startConversion } from '../support/media/conversion.mts';
import { useMediaFolder } from '../support/media/mediaFolder.mts';

const { ffmpeg, getPath, startReading } = useMediaFolder();

async function convert(file: string): Promise<ConvertedAudio> {
	const container = file.endsWith('.aac') ? 'adts' : 'isobmff';
	return await startConversion(container, async () => await startReading(file), {
		wavRate: 48_000,
	});
}

/** Converts a file to `converted.m4a`. */
async function convertToM4a(file: string): Promise<void> {
	const audio = await convert(file);
	expect(audio.format).toBe('M4A');
	const m4a = Buffer.concat(await collect(audio.chunks()));
	expect(m4a).toHaveLength(audio.size);
	await writeFile(getPath('converted.m4a'), m4a);
}

/** What ffmpeg decodes of the first track of audio. */
const decode = (file: string, ...options: string[]) =>
	ffmpeg(...options, '-i', file, '-map', '0:a:0', '-f', 's16le', '-');

const noise = 'aevalsrc=0.3*sin(2000*t*(1+t/9))+0.1*random(0):d=5:s=44100';
const video = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=25:duration=5'];
const mono = ['-f', 'lavfi', '-i', noise];
const stereo = ['-f', 'lavfi', '-i', `${noise},aeval=val(0)|-0.5*val(0):c=stereo`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p'];
const movie = [...video, ...stereo, ...h264];
const aac = [...movie, '-c:a', 'aac'];

beforeAll(() => {
	ffmpeg(...aac, 'video.mp4');
});

describe('a conversion of AAC or Apple Lossless', () => {
	const copy = ['-i', 'video.mp4', '-c', 'copy'];
	const cases: Array<{ file: string; args: string[] }> = [
		{ file: 'index-last.mp4', args: copy },
		{ file: 'index-first.mp4', args: [...copy, '-movflags', 'faststart'] },
		{ file: 'keyframes.mp4', args: [...copy, '-movflags', 'frag_keyframe+empty_moov'] },
		{
			file: 'moof-base.mp4',
			args: [...copy, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
		},
		{
			file: 'no-base.mp4',
			args: [...copy, '-movflags', 'frag_keyframe+empty_moov+omit_tfhd_offset'],
		},
		{
			file: 'separate.mp4',
			args: [...copy, '-movflags', 'frag_keyframe+empty_moov+separate_moof'],
		},
		{ file: 'hybrid.mp4', args: [...copy, '-movflags', 'frag_keyframe'] },
		{ file: 'dash.mp4', args: [...copy, '-movflags', 'dash+frag_keyframe'] },
		{ file: 'video.mov', args: copy },
		{ file: 'video.3gp', args: [...video, ...mono, ...h264, '-c:a', 'aac', '-ar', '16000'] },
		{ file: 'video.m4v', args: [...copy, '-f', 'ipod'] },
		{ file: 'audio-only.mov', args: [...mono, '-c:a', 'aac'] },
		{ file: 'lossless.mov', args: [...movie, '-c:a', 'alac'] },
		{ file: 'lossless.mp4', args: [...movie, '-c:a', 'alac'] },
		{
			file: 'lossless-24.mov',
			args: [...movie, '-c:a', 'alac', '-sample_fmt', 's32p', '-ar', '96000'],
		},
		{ file: 'surround.mp4', args: [...movie, '-c:a', 'aac', '-ac', '6'] },
		{ file: 'eight.mp4', args: [...movie, '-c:a', 'aac', '-ac', '1', '-ar', '8000'] },
		{ file: 'no-edits.mp4', args: [...copy, '-use_editlist', '0'] },
		{
			file: 'late.mp4',
			args: ['-i', 'video.mp4', '-itsoffset', '1.3', ...copy, '-map', '0:v', '-map', '1:a'],
		},
		{
			file: 'early.mp4',
			args: ['-itsoffset', '1.3', '-i', 'video.mp4', ...copy, '-map', '0:v', '-map', '1:a'],
		},
		{ file: 'cut.mp4', args: ['-ss', '2.2', ...copy] },
		{ file: 'cut.mov', args: ['-ss', '2.2', ...copy, '-t', '1.5'] },
		{
			file: 'chapters.mp4',
			args: ['-i', 'video.mp4', '-i', 'chapters.txt', '-map_chapters', '1', '-c', 'copy'],
		},
		{ file: 'stereo.aac', args: [...stereo, '-c:a', 'aac'] },
		{ file: 'eight.aac', args: [...mono, '-c:a', 'aac', '-ar', '8000'] },
		{ file: 'surround.aac', args: [...movie, '-vn', '-c:a', 'aac', '-ac', '6'] },
		{
			file: 'tagged.aac',
			args: [...mono, '-c:a', 'aac', '-write_id3v2', '1', '-metadata', 'title=Meeting'],
		},
	];

	beforeAll(async () => {
		const chapter = '[CHAPTER]\nTIMEBASE=1/1\nSTART=1\nEND=3\ntitle=One\n';
		await writeFile(getPath('chapters.txt'), `;FFMETADATA1\n${chapter}`);
	});

	it.each(cases)('converts $file to M4A that decodes bit for bit alike', async ({ file, args }) => {
		ffmpeg(...args, file);
		await convertToM4a(file);
		const expected = decode(file);
		expect(expected.length).toBeGreaterThan(40_000);
		expect(decode('converted.m4a').equals(expected)).toBe(true);
	});

	it('decodes fragments with an edit list without the priming that ffmpeg plays', async () => {
		ffmpeg(...copy, '-movflags', 'frag_keyframe+delay_moov', 'delayed.mp4');
		await convertToM4a('delayed.mp4');
		expect(decode('converted.m4a').equals(decode('video.mp4'))).toBe(true);
	});

	// ffmpeg writes these fragments without durations, and drops packets when it reads them.
	it('converts a fragment for each packet to M4A that decodes bit for bit alike', async () => {
		ffmpeg(...copy, '-movflags', 'frag_every_frame+empty_moov', 'every-packet.mp4');
		ffmpeg(...copy, '-movflags', 'frag_keyframe+empty_moov', 'keyframes.mp4');
		await convertToM4a('every-packet.mp4');
		expect(decode('converted.m4a').equals(decode('keyframes.mp4'))).toBe(true);
	});

	it.each<{ what: string; parts: Array<[start: number, end: number]> }>([
		{
			what: 'leaves out a part',
			parts: [
				[0, 1],
				[3, 4.5],
			],
		},
		{
			what: 'moves a part',
			parts: [
				[3, 4.5],
				[0, 1],
			],
		},
	])(
		'converts a video whose edit list $what to M4A that decodes bit for bit alike',
		async ({ parts }) => {
			const file = await readFile(getPath('video.mp4'));
			await writeFile(getPath('edited.mp4'), replaceEdits(file, parts));
			await convertToM4a('edited.mp4');
			expect(decode('converted.m4a').equals(decode('edited.mp4'))).toBe(true);
		},
	);

	it('converts the first of two tracks of audio in a video', async () => {
		const tracks = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-c:a', 'aac'];
		ffmpeg(...video, ...mono, ...stereo, ...tracks, ...h264, 'two.mp4');
		await convertToM4a('two.mp4');
		expect(decode('converted.m4a').equals(decode('two.mp4'))).toBe(true);
	});

	const twoCodecs = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-c:a:0', 'ac3', '-c:a:1', 'aac'];

	it('rejects a video whose second track could be converted, but is not enabled', async () => {
		ffmpeg(...video, ...mono, ...stereo, ...twoCodecs, ...h264, 'ac3.mp4');
		expect(await readObstacle(convert('ac3.mp4'))).toEqual({ kind: 'codec', codec: 'AC-3' });
	});

	it('converts the second track of audio in a video if the first is not converted', async () => {
		const enabled = ['-disposition:a:0', 'default', '-disposition:a:1', 'default'];
		ffmpeg(...video, ...mono, ...stereo, ...twoCodecs, ...enabled, ...h264, 'ac3-aac.mp4');
		await convertToM4a('ac3-aac.mp4');
		const expected = ffmpeg('-i', 'ac3-aac.mp4', '-map', '0:a:1', '-f', 's16le', '-');
		expect(decode('converted.m4a').equals(expected)).toBe(true);
	});

	it('converts a video with 64-bit offsets to M4A that decodes bit for bit alike', async () => {
		const file = await readFile(getPath('video.mp4'));
		await writeFile(getPath('long.mp4'), widenOffsets(file));
		await convertToM4a('long.mp4');
		expect(decode('converted.m4a').equals(decode('video.mp4'))).toBe(true);
	});

	it('converts AAC that begins in the middle of a frame to M4A that decodes bit for bit alike', async () => {
		ffmpeg(...stereo, '-c:a', 'aac', 'stereo.aac');
		const stream = await readFile(getPath('stereo.aac'));
		await writeFile(getPath('cut-out.aac'), stream.subarray(1000));
		await convertToM4a('cut-out.aac');
		expect(decode('converted.m4a').equals(decode('cut-out.aac'))).toBe(true);
	});

	it('converts a video that is cut off to M4A that decodes bit for bit alike', async () => {
		ffmpeg(...copy, '-movflags', 'faststart', 'cut-off.mp4');
		await truncate(getPath('cut-off.mp4'), 60_000);
		await convertToM4a('cut-off.mp4');
		const expected = decode('cut-off.mp4');
		const found = decode('converted.m4a');
		expect(found.length).toBeGreaterThan(44_100);
		// ffmpeg decodes what is left of a last packet too.
		expect(expected.subarray(0, found.length).equals(found)).toBe(true);
		expect(expected.length - found.length).toBeLessThanOrEqual(4 * 1024);
	});
});

/** Replaces the offsets of chunks by ones with 64 bits. The index is at the end. */
function widenOffsets(file: Buffer): Buffer {
	const replace = (content: Buffer): Buffer => {
		const inner = [...listBoxes(content)].map(({ name, content: part }) => {
			if (name === 'stco') {
				const offsets = Buffer.concat(
					Array.from({ length: part.readUInt32BE(4) }, (_, index) =>
						u32(0, part.readUInt32BE(8 + 4 * index)),
					),
				);
				return createBox('co64', part.subarray(0, 8), offsets);
			}
			const isContainer = ['trak', 'mdia', 'minf', 'stbl'].includes(name);
			return createBox(name, isContainer ? replace(part) : part);
		});
		return Buffer.concat(inner);
	};
	const index = findBox(file, 'moov')!;
	return Buffer.concat([
		file.subarray(0, file.length - index.length - 8),
		createBox('moov', replace(index)),
	]);
}

/** Plays these parts of the audio, in seconds. The index is at the end. */
function replaceEdits(file: Buffer, parts: Array<[start: number, end: number]>): Buffer {
	const index = findBox(file, 'moov')!;
	const edits = parts.map(([start, end]) => ({
		duration: (end - start) * 1000,
		// After the priming of the encoder.
		start: 1024 + start * 44_100,
	}));
	const boxes = [...listBoxes(index)].map(({ name, content }) => {
		const isAudio = findBox(content, 'mdia/hdlr')?.toString('latin1', 8, 12) === 'soun';
		if (name !== 'trak' || !isAudio) return createBox(name, content);
		const others = [...listBoxes(content)].filter((box) => box.name !== 'edts');
		const kept = others.map((box) => createBox(box.name, box.content));
		return createBox('trak', createEditList(...edits), ...kept);
	});
	return Buffer.concat([
		file.subarray(0, file.length - index.length - 8),
		createBox('moov', ...boxes),
	]);
}

describe('a conversion of Opus in MP4', () => {
	it.each<{ file: string; args: string[] }>([
		{ file: 'opus.mp4', args: [...mono, '-c:a', 'libopus'] },
		{
			file: 'opus-fragments.mp4',
			args: [...mono, '-c:a', 'libopus', '-movflags', 'frag_keyframe+empty_moov'],
		},
		{ file: 'opus-video.mp4', args: [...video, ...mono, ...h264, '-c:a', 'libopus'] },
		{
			file: 'opus-late.mp4',
			args: [...video, '-itsoffset', '1', ...mono, ...h264, '-c:a', 'libopus'],
		},
	])('decodes $file', async ({ file, args }) => {
		ffmpeg(...args, file);
		const audio = await convert(file);
		const wav = Buffer.concat(await collect(audio.chunks()));
		const expected = ffmpeg('-c:a', 'libopus', '-i', file, '-ac', '1', '-f', 's16le', '-');
		expect(wav.length).toBe(audio.size);
		expect(wav.readUInt32LE(24)).toBe(48_000);
		// ffmpeg decodes the last packet to its end.
		expect(wav.length - 44).toBe(2 * 48_000 * 5);
		expect(expected.length - (wav.length - 44)).toBeLessThan(2 * 960);
		for (let offset = 0; offset < wav.length - 44; offset += 2) {
			const difference = wav.readInt16LE(44 + offset) - expected.readInt16LE(offset);
			if (Math.abs(difference) > 2) throw new Error(`Sample ${offset / 2} differs`);
		}
	});
});

describe('a file that is not converted', () => {
	it.each<{ file: string; args: string[] }>([
		{ file: 'audio.m4a', args: [...mono, '-c:a', 'aac'] },
		{ file: 'lossless.m4a', args: [...mono, '-c:a', 'alac'] },
		{ file: 'audio.mp4', args: [...mono, '-c:a', 'aac', '-movflags', 'faststart'] },
		{
			file: 'audio-fragments.mp4',
			args: [...mono, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
		},
	])('is sent as it is: $file', async ({ file, args }) => {
		ffmpeg(...args, file);
		const options: ConversionOptions = { wavRate: 48_000, yieldToEventLoop: async () => {} };
		const converted = await convertAudio('isobmff', async () => await startReading(file), options);
		expect(converted).toEqual({ kind: 'unchanged' });
	});

	it.each<{ file: string; args: string[]; codec: string }>([
		{ file: 'pcm.mov', args: [...movie, '-c:a', 'pcm_s16le'], codec: 'PCM' },
		{ file: 'adpcm.mov', args: [...movie, '-c:a', 'adpcm_ima_qt'], codec: 'IMA ADPCM' },
		{ file: 'a-law.mov', args: [...movie, '-c:a', 'pcm_alaw'], codec: 'G.711' },
		{ file: 'mp3.mp4', args: [...movie, '-c:a', 'libmp3lame'], codec: 'MP3' },
		{ file: 'ac3.mp4', args: [...movie, '-c:a', 'ac3'], codec: 'AC-3' },
		{ file: 'eac3.mp4', args: [...movie, '-c:a', 'eac3'], codec: 'E-AC-3' },
		{ file: 'flac.mp4', args: [...movie, '-c:a', 'flac', '-strict', '-2'], codec: 'FLAC' },
		{ file: 'vorbis.mp4', args: [...movie, '-c:a', 'libvorbis'], codec: 'Vorbis' },
	])('is rejected with the name of its codec: $file', async ({ file, args, codec }) => {
		ffmpeg(...args, file);
		expect(await readObstacle(convert(file))).toEqual({ kind: 'codec', codec });
	});

	it('is rejected if it is a video without sound', async () => {
		ffmpeg(...video, ...h264, 'silent.mp4');
		expect(await readObstacle(convert('silent.mp4'))).toEqual({ kind: 'noAudio' });
	});

	it('is damaged if it is a video without its index', async () => {
		const file = await readFile(getPath('video.mp4'));
		await writeFile(getPath('no-index.mp4'), file.subarray(0, -findBox(file, 'moov')!.length - 8));
		expect(await readObstacle(convert('no-index.mp4'))).toEqual({ kind: 'damaged' });
	});
});
