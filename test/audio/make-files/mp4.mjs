/** M4A files: AAC and ALAC in MP4. */
import { ffmpeg, read, tone, written } from './tools.mjs';

export function makeMp4() {
	const mp4 = (file, args, note, facts, input = tone(7)) =>
		ffmpeg(file, 'M4A', input, ['-c:a', 'aac', '-b:a', '12k', ...args], { note, ...facts });
	mp4('index-at-end.m4a', [], 'AAC, brand M4A, index behind the audio');
	mp4('faststart.m4a', ['-movflags', '+faststart'], 'AAC, index in front');
	mp4('stereo.m4a', ['-ac', '2'], 'two channels');
	mp4('6-channels.m4a', ['-ac', '6', '-b:a', '48k'], '5.1');
	mp4('8-khz.m4a', [], 'telephone', {}, tone(7, 8000));
	mp4('brand-isom.mp4', [], 'brand isom');
	mp4('brand-mp42.mp4', ['-brand', 'mp42'], 'brand mp42');
	mp4('brand-m4b.m4b', ['-brand', 'M4B ', '-f', 'ipod'], 'an audio book');
	mp4('brand-unknown.mp4', ['-brand', 'XYZ1'], 'a brand nobody knows, compatible with isom');
	const ofFragments = 'in fragments: the index does not tell its length';
	mp4('fragments.mp4', ['-movflags', '+frag_keyframe+empty_moov+default_base_moof'], ofFragments, {
		measured: { samplingRate: 16_000, channels: 1 },
	});
	ffmpeg('lossless.m4a', 'M4A', tone(1), ['-c:a', 'alac'], { note: 'ALAC' });
	ffmpeg('lossless-96-khz.m4a', 'M4A', tone(0.5, 96_000), ['-c:a', 'alac'], {
		note: 'ALAC, 96 kHz',
	});
	ffmpeg(
		'with-video.mp4',
		'M4A',
		['-f', 'lavfi', '-i', 'color=black:s=32x32:d=5:r=5', ...tone(5)],
		['-c:v', 'mpeg4', '-c:a', 'aac', '-b:a', '12k', '-flags:v', '+bitexact'],
		{
			note: 'the sound is the second track',
		},
	);
	const whole = read('index-at-end.m4a');
	written('truncated.m4a', 'M4A', whole.subarray(0, whole.length / 2), {
		note: 'half of it: the index is gone',
		measured: {},
	});
}
