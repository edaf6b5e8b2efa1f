/** M4A files: AAC and ALAC in MP4. */
import { ffmpeg, inFolder, probe, probeWithoutSeconds, read, tone, written } from './tools.mjs';

/**
 * A box without content, and as much padding as given.
 * @param {string} name
 */
function emptyBox(name, padding = 0) {
	const box = Buffer.alloc(8 + padding);
	box.writeUInt32BE(box.length);
	box.write(name, 4, 'latin1');
	return box;
}

/**
 * Puts boxes between two others, and corrects where the index says that the audio begins.
 * @param {Buffer} mp4
 * @param {number} offset
 * @param {Buffer} boxes
 */
function insertBoxes(mp4, offset, boxes) {
	const bytes = Buffer.from(mp4);
	const stco = bytes.indexOf('stco');
	for (let index = 0; index < bytes.readUInt32BE(stco + 8); index++) {
		const entry = stco + 12 + 4 * index;
		bytes.writeUInt32BE(bytes.readUInt32BE(entry) + boxes.length, entry);
	}
	return Buffer.concat([bytes.subarray(0, offset), boxes, bytes.subarray(offset)]);
}

/** Boxes that may be anywhere (ISO/IEC 14496-12, 8.1.2), in front of those by which MP4 is known. */
function makePadded() {
	const plain = read('faststart.m4a');
	const measured = probe(inFolder('faststart.m4a'));
	/** @param {string} file @param {string} note @param {Buffer} bytes */
	const padded = (file, note, bytes) => written(file, 'M4A', bytes, { note, measured });
	/** @param {number} offset @param {...Buffer} boxes */
	const insert = (offset, ...boxes) => insertBoxes(plain, offset, Buffer.concat(boxes));
	const ftypLength = plain.readUInt32BE(0);
	padded('free-in-front.m4a', "a 'free' box in front", insert(0, emptyBox('free', 100)));
	padded('free-9-kb.m4a', "a 'free' box of 9 kB in front", insert(0, emptyBox('free', 9000)));
	padded('skip-wide.m4a', "'skip' and 'wide'", insert(0, emptyBox('skip', 5), emptyBox('wide')));
	padded('free-moov.m4a', "'free' in front of 'moov'", insert(ftypLength, emptyBox('free', 9)));
	const bare = Buffer.from(plain);
	bare.write('free', 4, 'latin1');
	padded('no-brand.m4a', "'free' and 'moov': no 'ftyp' at all", bare);
	const trimmed = Buffer.from(plain);
	// The edit list, and the length of track and movie by it: 2 of 7 s are played.
	trimmed.writeUInt32BE(2000, trimmed.indexOf('elst') + 12);
	trimmed.writeUInt32BE(2000, trimmed.indexOf('tkhd') + 24);
	trimmed.writeUInt32BE(2000, trimmed.indexOf('mvhd') + 20);
	written('trimmed.m4a', 'M4A', trimmed, {
		note: 'trimmed by its edit list: 2 of 7 s are played',
		measured: probeWithoutSeconds(inFolder('faststart.m4a')),
	});
	const quickTime = Buffer.concat([emptyBox('free'), read('quicktime.mov')]);
	written('free-quicktime.mov', 'QuickTime', quickTime, { note: "QuickTime behind a 'free' box" });
}

export function makeMp4() {
	/**
	 * @param {string} file
	 * @param {string} args
	 * @param {string} note
	 * @param {{measured?: object, input?: string}} [more]
	 */
	const mp4 = (file, args, note, { measured, input = tone(7) } = {}) =>
		ffmpeg(file, 'M4A', input, `-c:a aac -b:a 12k${args}`, { note, measured });
	mp4('index-at-end.m4a', '', 'AAC, brand M4A, index behind the audio');
	mp4('faststart.m4a', ' -movflags +faststart', 'AAC, index in front');
	mp4('stereo.m4a', ' -ac 2', 'two channels');
	mp4('6-channels.m4a', ' -ac 6 -b:a 48k', '5.1');
	mp4('8-khz.m4a', '', 'telephone', { input: tone(7, 8000) });
	mp4('brand-isom.mp4', '', 'brand isom');
	mp4('brand-mp42.mp4', ' -brand mp42', 'brand mp42');
	const audioBook = { note: 'an audio book' };
	const m4b = ['-brand', 'M4B ', '-f', 'ipod'];
	ffmpeg('brand-m4b.m4b', 'M4A', tone(7), '-c:a aac -b:a 12k', audioBook, ...m4b);
	mp4('android.m4a', ' -brand 3gp4', 'brand 3gp4, as Android writes it');
	mp4('mobile.3gp', '', '3GP');
	mp4('brand-unknown.mp4', ' -brand XYZ1', 'an unknown brand, compatible with isom');
	const fragments = ' -movflags +frag_keyframe+empty_moov+default_base_moof';
	const noDuration = { measured: { samplingRate: 16_000, channels: 1 } };
	mp4('fragments.mp4', fragments, 'in fragments: the index has no duration', noDuration);
	const partly = ' -movflags +frag_keyframe -frag_duration 1000000';
	const partlyNote = 'in fragments, the first second is in the index';
	mp4('moov-and-fragments.mp4', partly, partlyNote, noDuration);
	ffmpeg('lossless.m4a', 'M4A', tone(1), '-c:a alac', { note: 'ALAC' });
	ffmpeg('lossless-96-khz.m4a', 'M4A', tone(0.5, 96_000), '-c:a alac', {
		note: 'ALAC, 96 kHz: its rate does not fit into the sample entry',
		measured: { seconds: 0.5, channels: 1 },
	});
	const video = `-f lavfi -i color=black:s=32x32:d=5:r=5 ${tone(5)}`;
	const codecs = '-c:v mpeg4 -c:a aac -b:a 12k -flags:v +bitexact';
	ffmpeg('with-video.mp4', 'M4A', video, codecs, { note: 'the sound is the second track' });
	const whole = read('index-at-end.m4a');
	written('truncated.m4a', 'M4A', whole.subarray(0, whole.length / 2), {
		note: 'half of it: the index is gone',
		measured: {},
	});
	makePadded();
}
