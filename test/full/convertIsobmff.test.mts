import { readFile, writeFile } from 'node:fs/promises';

import type { ConvertedAudio } from '../../nodes/VoiceSpeech/audio/convert/convertAudio.ts';
import { collect, startConversion } from '../support/media/conversion.mts';
import { useMediaFolder } from '../support/media/mediaFolder.mts';

const { decode, ffmpeg, getPath, openRecording } = useMediaFolder();

async function convert(file: string): Promise<ConvertedAudio> {
	return await startConversion(...openRecording(file), { wavRate: 48_000 });
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

	const twoCodecs = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-c:a:0', 'ac3', '-c:a:1', 'aac'];

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
});

describe('a conversion of Opus in MP4', () => {
	it.each<[file: string, args: string[]]>([
		['opus.mp4', mono],
		['opus-fragments.mp4', [...mono, '-movflags', 'frag_keyframe+empty_moov']],
		['opus-video.mp4', [...video, ...mono, ...h264]],
		['opus-late.mp4', [...video, '-itsoffset', '1', ...mono, ...h264]],
	])('decodes %s', async (file, args) => {
		ffmpeg(...args, '-c:a', 'libopus', file);
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
