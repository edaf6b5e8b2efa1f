/** WAV files and their variants. */
import * as make from './tools.mjs';
import { inFolder, inScratch, probe, probeWithoutSeconds, run, tone } from './tools.mjs';

/** @param {string} name @param {Buffer} bytes */
const chunk = (name, bytes) => {
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(bytes.length, 4);
	return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
};

/**
 * Puts bytes between the RIFF header and the first chunk.
 * @param {Buffer} wav
 * @param {Buffer} extra
 */
function insertChunk(wav, extra) {
	const bytes = Buffer.concat([wav.subarray(0, 12), extra, wav.subarray(12)]);
	bytes.writeUInt32LE(bytes.length - 8, 4);
	return bytes;
}

/**
 * A copy in which these 32-bit numbers are changed, by their offset.
 * @param {Buffer} wav
 * @param {Array<[offset: number, value: number]>} numbers
 */
function changed(wav, numbers) {
	const bytes = Buffer.from(wav);
	for (const [offset, value] of numbers) bytes.writeUInt32LE(value, offset);
	return bytes;
}

function makePcm() {
	/** @param {string} file @param {string} args @param {string} note @param {...string} more */
	const pcm = (file, args, note, ...more) =>
		make.ffmpeg(file, 'WAV', tone(0.4, 8000), `-c:a ${args}`, { note }, ...more);
	pcm('pcm-8.wav', 'pcm_u8', '8 bit');
	pcm('pcm-16.wav', 'pcm_s16le', '16 bit');
	pcm('pcm-24.wav', 'pcm_s24le', '24 bit: WAVE_FORMAT_EXTENSIBLE');
	pcm('pcm-32.wav', 'pcm_s32le', '32 bit');
	pcm('float-32.wav', 'pcm_f32le', 'floating point');
	pcm('float-64.wav', 'pcm_f64le', 'double precision');
	pcm('a-law.wav', 'pcm_alaw', 'A-law of the telephone');
	pcm('mu-law.wav', 'pcm_mulaw', 'mu-law of the telephone');
	pcm('ima-adpcm.wav', 'adpcm_ima_wav', 'ADPCM, four bits a sample');
	pcm('stereo.wav', 'pcm_s16le -ac 2', 'two channels');
	pcm('6-channels.wav', 'pcm_s16le -ac 6', '5.1: WAVE_FORMAT_EXTENSIBLE');
	pcm('rf64.wav', 'pcm_s16le -rf64 always', 'RF64, lengths in ds64');
	const bext = 'pcm_s16le -write_bext 1 -metadata originator=Recorder';
	pcm('bext.wav', bext, 'a bext chunk before the data');
	const tags = ['-metadata', 'title=A call', '-metadata', 'artist=Somebody'];
	pcm('list.wav', 'pcm_s16le', 'a LIST chunk before the data', ...tags);
	const mp3 = { note: 'MP3 in a WAV container' };
	make.ffmpeg('mp3-inside.wav', 'WAV', tone(3), '-c:a libmp3lame -b:a 16k', mp3);
}

function makeOfOtherTools() {
	/** @param {string} file @param {Buffer} bytes @param {string} note */
	const wav = (file, bytes, note) => make.written(file, 'WAV', bytes, { note });
	run(`sox -n -r 16000 -c 1 -b 16 ${inScratch('tone.wav')} synth 1 sine 300`);
	run(`sox ${inScratch('tone.wav')} -r 8000 -e gsm-full-rate ${inScratch('gsm.wav')}`);
	wav('sox-gsm.wav', make.readScratch('gsm.wav'), 'GSM, made by sox');
	const speech = run('espeak-ng --stdout -s 200 Yes');
	const espeakNote = 'espeak-ng into a pipe: its length is the largest possible';
	wav('espeak-streamed.wav', speech, espeakNote);
	const streamed = make.piped(tone(0.4, 8000), '-c:a pcm_s16le -f wav');
	wav('ffmpeg-streamed.wav', streamed, 'ffmpeg into a pipe: all lengths are unknown');
	run(`sox ${inFolder('pcm-16.wav')} ${inScratch('flat.raw')}`);
	const sox = 'sox -r 8000 -c 1 -b 16 -e signed -t raw - -t wav -';
	const soxPipe = run('sh -c', `cat ${inScratch('flat.raw')} | ${sox} 2>/dev/null | cat`);
	wav('sox-streamed.wav', soxPipe, 'sox into a pipe');
}

export function makeWav() {
	makePcm();
	makeOfOtherTools();
	const plain = make.read('pcm-16.wav');
	/** @param {string} file @param {Buffer} bytes @param {string} note @param {object} [measured] */
	const wav = (file, bytes, note, measured) => make.written(file, 'WAV', bytes, { note, measured });
	const odd = insertChunk(plain, chunk('note', Buffer.from('three')));
	wav('odd-chunk.wav', odd, 'a chunk of odd length, padded, before the format');
	const large = insertChunk(plain, chunk('JUNK', Buffer.alloc(20_000)));
	wav('large-chunk.wav', large, 'the format is behind 20 kB');
	const bw64 = Buffer.from(make.read('rf64.wav'));
	bw64.write('BW64', 'latin1');
	wav('bw64.wav', bw64, 'BW64: as RF64, under another name');
	const known = probe(inFolder('pcm-16.wav'));
	const dataLength = plain.indexOf('data') + 4;
	const zero = changed(plain, [
		[4, 0],
		[dataLength, 0],
	]);
	wav('crashed.wav', zero, 'a recorder that was switched off: all lengths are 0', known);
	const wrong = changed(plain, [[dataLength, 1600]]);
	const wrongNote = 'its data is four times as long as the header says';
	wav('wrong-length.wav', wrong, wrongNote, probeWithoutSeconds(inFolder('pcm-16.wav')));
	const half = plain.subarray(0, plain.length / 2);
	const seconds = (half.length - dataLength - 4) / 16_000;
	const halfNote = 'half of it: the header promises more than is there';
	wav('truncated.wav', half, halfNote, { ...known, seconds });
	wav('header-only.wav', plain.subarray(0, 20), '20 bytes', {});
}
