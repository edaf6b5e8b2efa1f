/** MP3 files, and MP2. */
import * as make from './tools.mjs';
import { inFolder, inScratch, probe, probeWithoutSeconds, run, tone } from './tools.mjs';

/** Half a second of silence, half a second of noise: at a variable rate, frames of many sizes. */
const lively = '-f lavfi -i aevalsrc=if(lt(mod(t\\,1)\\,0.5)\\,0\\,random(0)-0.5):s=16000:d=3';

/** Three seconds of silence, then noise: the first frames have the lowest bit rate. */
const silenceFirst = '-f lavfi -i aevalsrc=if(lt(t\\,3)\\,0\\,random(0)/9):s=32000:d=11';

/** Frames, and nothing that counts them. */
const bare = '-write_xing 0 -id3v2_version 0';

/**
 * @param {string} file
 * @param {string} input
 * @param {string} args
 * @param {string} note
 * @param {object} [measured]
 */
function mp3(file, input, args, note, measured) {
	make.ffmpeg(file, 'MP3', input, `-c:a libmp3lame ${args}`, { note, measured });
}

function makeRates() {
	/** @type {Array<[version: string, ...rates: number[]]>} */
	const rates = [
		['2.5', 8000, 11_025, 12_000],
		['2', 16_000, 22_050, 24_000],
		['1', 32_000, 44_100, 48_000],
	];
	for (const [index, [version, ...all]] of rates.entries()) {
		for (const rate of all) {
			mp3(
				`mpeg-${version}-${rate}.mp3`,
				tone(3, rate),
				`-b:a ${8 * 2 ** index}k`,
				`MPEG ${version}`,
			);
		}
	}
}

function makeKinds() {
	mp3('stereo.mp3', tone(3, 44_100), '-b:a 32k -ac 2 -joint_stereo 0', 'two channels');
	mp3('joint-stereo.mp3', tone(3, 24_000), '-b:a 24k -ac 2', 'joint stereo of MPEG 2');
	mp3('cbr.mp3', tone(3), `-b:a 16k ${bare}`, 'constant rate, nothing but frames');
	mp3('id3v2.mp3', tone(3), '-b:a 16k -metadata title=A', 'a small tag in front');
	mp3('vbr.mp3', lively, '-q:a 5', 'variable rate, with a Xing header');
	const noHeader = 'variable rate without a header: only reading all of it shows its length';
	mp3('vbr-no-header.mp3', lively, `-q:a 5 ${bare}`, noHeader, probeWithoutSeconds);
	const silent = 'variable rate without a header, 11 s, of which 3 are silent';
	mp3('silence-first.mp3', silenceFirst, `-q:a 9 ${bare}`, silent, probeWithoutSeconds);
	run(`sox -n -r 22050 -c 1 ${inScratch('lame.wav')} synth 3 sine 300`);
	/** @param {string} file @param {string} format @param {string} args @param {string} note */
	const lame = (file, format, args, note) => {
		run(`lame --quiet ${args} ${inScratch('lame.wav')} ${inScratch('lame.mp3')}`);
		make.written(file, format, make.readScratch('lame.mp3'), { note });
	};
	lame('lame-vbr.mp3', 'MP3', '-V 9', 'variable rate, made by lame');
	lame('free-format.mp3', '', '--freeformat -b 24', 'no bit rate in its frames');
}

/** The last 128 bytes of a file with an ID3v1 tag. */
function id3v1() {
	const tag = Buffer.alloc(128);
	tag.write('TAGA call', 'latin1');
	return tag;
}

/** Constant bit rate, and tags behind it, which by their size would last for half a minute. */
function makeTails() {
	run(`sox -n -r 16000 -c 1 ${inScratch('11s.wav')} synth 11 sine 300`);
	run(`lame --quiet -b 8 --resample 16 -t ${inScratch('11s.wav')} ${inScratch('cbr.mp3')}`);
	const cbr = make.readScratch('cbr.mp3');
	const measured = probeWithoutSeconds(inScratch('cbr.mp3'));
	/** @param {string} file @param {string} note @param {...Buffer} tail */
	const tailed = (file, note, ...tail) =>
		make.written(file, 'MP3', Buffer.concat([cbr, ...tail]), { note, measured });
	make.written('cbr-11s.mp3', 'MP3', cbr, { note: 'constant rate, 11 s, made by lame' });
	tailed('ape-at-end.mp3', 'APEv2 tag of 30 kB behind it', make.apeTag(30_000));
	tailed('id3v2-at-end.mp3', 'ID3v2 tag of 30 kB behind it', make.id3(Buffer.alloc(30_000, 'a')));
	const lyrics = `LYRICSBEGIN${'IND0000211LYR90000'}${'la '.repeat(10_000)}`;
	const size = String(lyrics.length).padStart(6, '0');
	const lyrics3 = Buffer.from(`${lyrics}${size}LYRICS200`);
	tailed('lyrics3-at-end.mp3', 'Lyrics3 and ID3v1', lyrics3, id3v1());
}

/** What is around the frames, or is missing there. */
function makeSurroundings() {
	const plain = make.read('cbr.mp3');
	const measured = probe(inFolder('cbr.mp3'));
	const cover = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 251));
	const about = Buffer.from('\0image/jpeg\0\x03\0', 'latin1');
	const picture = make.id3(make.id3Frame('APIC', Buffer.concat([about, cover])));
	/** @param {string} file @param {string} note @param {...Buffer} pieces */
	const made = (file, note, ...pieces) =>
		make.written(file, 'MP3', Buffer.concat(pieces), { note, measured });
	const title = make.titleTag();
	made('large-cover.mp3', 'a tag of 20 kB in front', picture, plain);
	made('two-tags.mp3', 'two tags in front, one of 20 kB', title, picture, plain);
	made('zeros-in-front.mp3', '700 zero bytes in front', Buffer.alloc(700), plain);
	made('cut-out.mp3', 'it begins in the middle of a frame, as a live stream', plain.subarray(50));
	made('zeros-4-kb.mp3', '4 kB of zero bytes in front', Buffer.alloc(4096), plain);
	made('ape-in-front.mp3', 'an APEv2 tag of 40 kB in front', make.apeTag(40_000), plain);
	const padding = Buffer.alloc(9000);
	made('tag-and-zeros.mp3', 'a tag, and 9 kB of padding behind it', title, padding, plain);
	/** @param {string} file @param {string} note @param {string} like @param {...Buffer} pieces */
	const unsure = (file, note, like, ...pieces) =>
		make.written(file, 'MP3', Buffer.concat(pieces), {
			note,
			measured: probeWithoutSeconds(inFolder(like)),
		});
	unsure('id3v1.mp3', 'a tag at the end', 'cbr.mp3', plain, id3v1());
	const vbr = make.read('lame-vbr.mp3');
	unsure('joined.mp3', 'two files, one behind the other', 'lame-vbr.mp3', vbr, vbr);
	made('ends-in-frame.mp3', 'its last frame is not complete', plain.subarray(0, -40));
}

export function makeMp3() {
	makeRates();
	makeKinds();
	makeTails();
	makeSurroundings();
	make.ffmpeg('layer-2.mp2', 'MP2', tone(0.5), '-c:a mp2 -b:a 32k', { note: 'layer II' });
}
