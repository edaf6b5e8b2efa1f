/** FLAC files. */
import { ffmpeg, id3, inFolder, piped, probe, read, titleTag, tone, written } from './tools.mjs';

export function makeFlac() {
	/** @param {string} file @param {number} rate @param {string} args @param {string} note */
	const flac = (file, rate, args, note) =>
		ffmpeg(file, 'FLAC', tone(rate > 16_000 ? 0.3 : 0.6, rate), `-c:a flac${args}`, { note });
	flac('mono.flac', 16_000, '', '16 bit');
	const studio = ' -ac 2 -sample_fmt s32 -bits_per_raw_sample 24';
	flac('stereo-24-bit.flac', 48_000, studio, '24 bit, two channels');
	flac('8-khz.flac', 8000, '', 'telephone');
	flac('96-khz.flac', 96_000, '', 'studio');
	flac('8-channels.flac', 16_000, ' -ac 8', 'eight channels');
	const plain = read('mono.flac');
	/** @param {string} file @param {Buffer} tag @param {string} note */
	const tagged = (file, tag, note) =>
		written(file, 'FLAC', Buffer.concat([tag, plain]), {
			note,
			measured: probe(inFolder('mono.flac')),
		});
	tagged('id3.flac', titleTag(), 'a small tag in front');
	tagged('id3-large.flac', id3(Buffer.alloc(9000)), 'a tag of 9 kB in front');
	written('streamed.flac', 'FLAC', piped(tone(0.6), '-c:a flac -f flac'), {
		note: 'made into a pipe: the number of samples is unknown',
		measured: { samplingRate: 16_000, channels: 1 },
	});
}
