import { readFile, truncate, writeFile } from 'node:fs/promises';

import {
	convertAudio,
	type ConversionOptions,
	type ConvertedAudio,
} from '../../nodes/VoiceSpeech/audio/convert/convertAudio.ts';
import { listBoxes, findBox } from '../../nodes/VoiceSpeech/audio/isobmff/boxes.ts';
import { createBox } from '../support/media/isobmff.mts';
import { createEditList } from '../support/media/movies.mts';
import { collect, readObstacle, startConversion } from '../support/media/conversion.mts';
import { useMediaFolder } from '../support/media/mediaFolder.mts';

const { decode, ffmpeg, getPath, startReading } = useMediaFolder();

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

/** Converts a file to M4A, which must sound bit for bit like this one. */
async function expectSameSound(file: string, expectedFile = file): Promise<void> {
	await convertToM4a(file);
	const [found, expected] = await decode('s16le', 'converted.m4a', expectedFile);
	expect(expected!.length).toBeGreaterThan(40_000);
	expect(found!.equals(expected!)).toBe(true);
}

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
	const cases: Record<string, string[]> = {
		'index-last.mp4': copy,
		'index-first.mp4': [...copy, '-movflags', 'faststart'],
		'keyframes.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov'],
		'moof-base.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
		'no-base.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov+omit_tfhd_offset'],
		'separate.mp4': [...copy, '-movflags', 'frag_keyframe+empty_moov+separate_moof'],
		'hybrid.mp4': [...copy, '-movflags', 'frag_keyframe'],
		'dash.mp4': [...copy, '-movflags', 'dash+frag_keyframe'],
		'video.mov': copy,
		'video.3gp': [...video, ...mono, ...h264, '-c:a', 'aac', '-ar', '16000'],
		'video.m4v': [...copy, '-f', 'ipod'],
		'audio-only.mov': [...mono, '-c:a', 'aac'],
		'lossless.mov': [...movie, '-c:a', 'alac'],
		'lossless.mp4': [...movie, '-c:a', 'alac'],
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
	};

	beforeAll(async () => {
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

	it('converts a video whose edit list leaves out or moves a part to M4A that decodes bit for bit alike', async () => {
		const start = { start: 0, end: 1 };
		const later = { start: 3, end: 4.5 };
		for (const parts of [
			[start, later],
			[later, start],
		]) {
			const file = await readFile(getPath('video.mp4'));
			await writeFile(getPath('edited.mp4'), replaceEdits(file, parts));
			await expectSameSound('edited.mp4');
		}
	});

	it('converts the first of two tracks of audio in a video', async () => {
		const tracks = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-c:a', 'aac'];
		ffmpeg(...video, ...mono, ...stereo, ...tracks, ...h264, 'two.mp4');
		await expectSameSound('two.mp4');
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
		const [found] = await decode('s16le', 'converted.m4a');
		expect(found!.equals(expected)).toBe(true);
	});

	it('converts AAC that begins in the middle of a frame to M4A that decodes bit for bit alike', async () => {
		ffmpeg(...stereo, '-c:a', 'aac', 'stereo.aac');
		const stream = await readFile(getPath('stereo.aac'));
		await writeFile(getPath('cut-out.aac'), stream.subarray(1000));
		await expectSameSound('cut-out.aac');
	});

	it('converts a video that is cut off to M4A that decodes bit for bit alike', async () => {
		ffmpeg(...copy, '-movflags', 'faststart', 'cut-off.mp4');
		await truncate(getPath('cut-off.mp4'), 60_000);
		await convertToM4a('cut-off.mp4');
		const [expected, found] = (await decode('s16le', 'cut-off.mp4', 'converted.m4a')) as [
			Buffer,
			Buffer,
		];
		expect(found.length).toBeGreaterThan(44_100);
		// ffmpeg decodes what is left of a last packet too.
		expect(expected.subarray(0, found.length).equals(found)).toBe(true);
		expect(expected.length - found.length).toBeLessThanOrEqual(4 * 1024);
	});
});

/** Plays these parts of the audio, in seconds. The index is at the end. */
function replaceEdits(file: Buffer, parts: Array<{ start: number; end: number }>): Buffer {
	const index = findBox(file, 'moov')!;
	const edits = parts.map(({ start, end }) => ({
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
	it.each(
		Object.entries({
			'opus.mp4': [...mono, '-c:a', 'libopus'],
			'opus-fragments.mp4': [...mono, '-c:a', 'libopus', '-movflags', 'frag_keyframe+empty_moov'],
			'opus-video.mp4': [...video, ...mono, ...h264, '-c:a', 'libopus'],
			'opus-late.mp4': [...video, '-itsoffset', '1', ...mono, ...h264, '-c:a', 'libopus'],
		}),
	)('decodes %s', async (file, args) => {
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
	it.each(
		Object.entries({
			'audio.m4a': [...mono, '-c:a', 'aac'],
			'lossless.m4a': [...mono, '-c:a', 'alac'],
			'audio.mp4': [...mono, '-c:a', 'aac', '-movflags', 'faststart'],
			'audio-fragments.mp4': [...mono, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
		}),
	)('is sent as it is: %s', async (file, args) => {
		ffmpeg(...args, file);
		const options: ConversionOptions = { wavRate: 48_000, yieldToEventLoop: async () => {} };
		const converted = await convertAudio('isobmff', async () => await startReading(file), options);
		expect(converted).toEqual({ kind: 'unchanged' });
	});

	it.each([
		['pcm.mov', 'pcm_s16le', 'PCM'],
		['ac3.mp4', 'ac3', 'AC-3'],
		['flac.mp4', 'flac', 'FLAC'],
		['vorbis.mp4', 'libvorbis', 'Vorbis'],
	])('is rejected with the name of its codec: %s', async (file, encoder, codec) => {
		// To ffmpeg, FLAC in MP4 is an experiment.
		ffmpeg(...movie, '-c:a', encoder, '-strict', '-2', file);
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
