/** MP3 files, and their neighbours. */
import {
	apeTag,
	exact,
	ffmpeg,
	id3,
	id3Frame,
	inFolder,
	inScratch,
	probe,
	read,
	readScratch,
	row,
	run,
	titleTag,
	tone,
	written,
} from './tools.mjs';

/** Half a second of nothing, half a second of noise: at a variable rate, frames of many sizes. */
const lively = [
	...['-f', 'lavfi', '-i'],
	'aevalsrc=if(lt(mod(t\\,1)\\,0.5)\\,0\\,random(0)-0.5):s=16000:d=3',
];

/** Frames, and nothing that would say how many there are. */
const bare = '-write_xing 0 -id3v2_version 0';

function mp3(file, input, args, facts) {
	ffmpeg(file, 'MP3', input, ['-c:a', 'libmp3lame', ...args.split(' ')], facts);
}

function makeRates() {
	const rates = [
		['2.5', 8000, 11_025, 12_000],
		['2', 16_000, 22_050, 24_000],
		['1', 32_000, 44_100, 48_000],
	];
	for (const [index, [version, ...all]] of rates.entries()) {
		for (const rate of all) {
			const args = `-b:a ${8 * 2 ** index}k`;
			mp3(`mpeg-${version}-${rate}.mp3`, tone(3, rate), args, { note: `MPEG ${version}` });
		}
	}
}

function makeKinds() {
	const plain = tone(3);
	mp3('stereo.mp3', tone(3, 44_100), '-b:a 32k -ac 2 -joint_stereo 0', { note: 'two channels' });
	mp3('joint-stereo.mp3', tone(3, 24_000), '-b:a 24k -ac 2', { note: 'joint stereo of MPEG 2' });
	mp3('cbr.mp3', plain, `-b:a 16k ${bare}`, { note: 'constant rate, nothing but frames' });
	mp3('id3v2.mp3', plain, '-b:a 16k -metadata title=A', { note: 'a small tag in front' });
	mp3('vbr.mp3', lively, '-q:a 5', { note: 'variable rate, with a Xing header' });
	run(
		'ffmpeg',
		'-v',
		'error',
		'-y',
		...lively,
		...exact,
		'-c:a',
		'libmp3lame',
		'-q:a',
		'5',
		...bare.split(' '),
		inFolder('vbr-no-header.mp3'),
	);
	const { samplingRate, channels } = probe(inFolder('vbr-no-header.mp3'));
	row('vbr-no-header.mp3', 'MP3', {
		note: 'variable rate without a header: only who reads it all knows its length',
		measured: { samplingRate, channels },
	});
	makeSilenceFirst();
	run('sox', '-n', '-r', '22050', '-c', '1', inScratch('lame.wav'), 'synth', '3', 'sine', '300');
	run('lame', '--quiet', '-V', '9', inScratch('lame.wav'), inScratch('lame.mp3'));
	written('lame-vbr.mp3', 'MP3', readScratch('lame.mp3'), { note: 'variable rate, made by lame' });
	run('lame', '--quiet', '--freeformat', '-b', '24', inScratch('lame.wav'), inScratch('free.mp3'));
	written('free-format.mp3', '', readScratch('free.mp3'), { note: 'no bit rate in its frames' });
}

/** Three seconds of silence, then speech-like noise: the first frames have the lowest bit rate. */
function makeSilenceFirst() {
	const input = ['-f', 'lavfi', '-i'];
	const source = 'aevalsrc=if(lt(t\\,3)\\,0\\,random(0)/9):s=32000:d=11';
	const args = [...exact, '-c:a', 'libmp3lame', '-q:a', '9', ...bare.split(' ')];
	run('ffmpeg', '-v', 'error', '-y', ...input, source, ...args, inFolder('silence-first.mp3'));
	const { samplingRate, channels } = probe(inFolder('silence-first.mp3'));
	row('silence-first.mp3', 'MP3', {
		note: 'variable rate without a header, 11 s, of which 3 are silent',
		measured: { samplingRate, channels },
	});
}

/** Constant bit rate, and tags behind it, which by their size would last for half a minute. */
function makeTails() {
	const rate = ['-r', '16000', '-c', '1'];
	run('sox', '-n', ...rate, inScratch('11s.wav'), 'synth', '11', 'sine', '300');
	run(
		'lame',
		'--quiet',
		'-b',
		'8',
		'--resample',
		'16',
		'-t',
		inScratch('11s.wav'),
		inScratch('cbr.mp3'),
	);
	const cbr = readScratch('cbr.mp3');
	const { samplingRate, channels } = probe(inScratch('cbr.mp3'));
	const measured = { samplingRate, channels };
	const tailed = (file, note, ...tail) =>
		written(file, 'MP3', Buffer.concat([cbr, ...tail]), { note, measured });
	written('cbr-11s.mp3', 'MP3', cbr, { note: 'constant rate, 11 s, made by lame' });
	tailed('ape-at-end.mp3', 'APEv2 tag of 30 kB behind it', apeTag(30_000));
	tailed('id3v2-at-end.mp3', 'ID3v2 tag of 30 kB behind it', id3(Buffer.alloc(30_000, 'a')));
	const lyrics = `LYRICSBEGIN${'IND0000211LYR90000'}${'la '.repeat(10_000)}`;
	const size = String(lyrics.length).padStart(6, '0');
	const tag = Buffer.alloc(128);
	tag.write('TAGA call', 'latin1');
	tailed('lyrics3-at-end.mp3', 'Lyrics3 and ID3v1', Buffer.from(`${lyrics}${size}LYRICS200`), tag);
}

/** What stands around the frames, or is missing there. */
function makeSurroundings() {
	const plain = read('cbr.mp3');
	const measured = probe(inFolder('cbr.mp3'));
	const cover = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 251));
	const about = Buffer.from('\0image/jpeg\0\x03\0', 'latin1');
	const picture = id3(id3Frame('APIC', Buffer.concat([about, cover])));
	const made = (file, note, ...pieces) =>
		written(file, 'MP3', Buffer.concat(pieces), { note, measured });
	made('large-cover.mp3', 'a tag of 20 kB in front', picture, plain);
	made('two-tags.mp3', 'two tags in front, one of 20 kB', titleTag(), picture, plain);
	made('zeros-in-front.mp3', '700 zero bytes in front', Buffer.alloc(700), plain);
	made('cut-out.mp3', 'it begins in the middle of a frame, as a live stream', plain.subarray(50));
	made('zeros-4-kb.mp3', '4 kB of zero bytes in front', Buffer.alloc(4096), plain);
	made('ape-in-front.mp3', 'an APEv2 tag of 40 kB in front', apeTag(40_000), plain);
	made(
		'tag-and-zeros.mp3',
		'a tag, and 9 kB of padding behind it',
		titleTag(),
		Buffer.alloc(9000),
		plain,
	);
	const tagAtEnd = Buffer.alloc(128);
	tagAtEnd.write('TAGA call', 'latin1');
	const unsure = (file, note, { samplingRate, channels }, ...pieces) =>
		written(file, 'MP3', Buffer.concat(pieces), { note, measured: { samplingRate, channels } });
	unsure('id3v1.mp3', 'a tag at the end', measured, plain, tagAtEnd);
	const vbr = read('lame-vbr.mp3');
	const ofVbr = probe(inFolder('lame-vbr.mp3'));
	unsure('joined.mp3', 'two files, one behind the other', ofVbr, vbr, vbr);
	made('ends-in-frame.mp3', 'its last frame is not complete', plain.subarray(0, -40));
}

export function makeMp3() {
	makeRates();
	makeKinds();
	makeTails();
	makeSurroundings();
	ffmpeg('layer-2.mp2', 'MP2', tone(0.5), ['-c:a', 'mp2', '-b:a', '32k'], { note: 'layer II' });
}
