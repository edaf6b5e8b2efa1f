/** WAV files and their variants. */
import {
	ffmpeg,
	inScratch,
	inFolder,
	piped,
	probe,
	read,
	readScratch,
	run,
	tone,
	written,
} from './tools.mjs';

const chunk = (name, bytes) => {
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(bytes.length, 4);
	return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
};

/** Puts bytes between the RIFF header and the first chunk. */
function insertChunk(wav, extra) {
	const bytes = Buffer.concat([wav.subarray(0, 12), extra, wav.subarray(12)]);
	bytes.writeUInt32LE(bytes.length - 8, 4);
	return bytes;
}

export function makeWav() {
	const short = tone(0.4, 8000);
	const pcm = (file, codec, note, ...more) =>
		ffmpeg(file, 'WAV', short, ['-c:a', codec, ...more], { note });
	pcm('pcm-8.wav', 'pcm_u8', '8 bit');
	pcm('pcm-16.wav', 'pcm_s16le', '16 bit');
	pcm('pcm-24.wav', 'pcm_s24le', '24 bit: WAVE_FORMAT_EXTENSIBLE');
	pcm('pcm-32.wav', 'pcm_s32le', '32 bit');
	pcm('float-32.wav', 'pcm_f32le', 'floating point');
	pcm('float-64.wav', 'pcm_f64le', 'double precision');
	pcm('a-law.wav', 'pcm_alaw', 'A-law of the telephone');
	pcm('mu-law.wav', 'pcm_mulaw', 'mu-law of the telephone');
	pcm('ima-adpcm.wav', 'adpcm_ima_wav', 'ADPCM, four bits a sample');
	pcm('stereo.wav', 'pcm_s16le', 'two channels', '-ac', '2');
	pcm('6-channels.wav', 'pcm_s16le', '5.1: WAVE_FORMAT_EXTENSIBLE', '-ac', '6');
	pcm('rf64.wav', 'pcm_s16le', 'RF64, lengths in ds64', '-rf64', 'always');
	pcm(
		'bext.wav',
		'pcm_s16le',
		'a bext chunk before the data',
		'-write_bext',
		'1',
		'-metadata',
		'originator=Recorder',
	);
	pcm(
		'list.wav',
		'pcm_s16le',
		'a LIST chunk before the data',
		'-metadata',
		'title=A call',
		'-metadata',
		'artist=Somebody',
	);
	ffmpeg('mp3-inside.wav', 'WAV', tone(3), ['-c:a', 'libmp3lame', '-b:a', '16k'], {
		note: 'MP3 in a WAV container',
	});
	run(
		'sox',
		'-n',
		'-r',
		'16000',
		'-c',
		'1',
		'-b',
		'16',
		inFolder('sox-gsm.wav'),
		'synth',
		'1',
		'sine',
		'300',
	);
	run('sox', inFolder('sox-gsm.wav'), '-r', '8000', '-e', 'gsm-full-rate', inScratch('gsm.wav'));
	written('sox-gsm.wav', 'WAV', readScratch('gsm.wav'), { note: 'GSM, made by sox' });
	const speech = run('espeak-ng', '--stdout', '-s', '200', 'Yes');
	written('espeak-streamed.wav', 'WAV', speech, {
		note: 'espeak-ng into a pipe: its length is the largest there is',
	});
	written('ffmpeg-streamed.wav', 'WAV', piped(short, ['-c:a', 'pcm_s16le', '-f', 'wav']), {
		note: 'ffmpeg into a pipe: all lengths are unknown',
	});
	run('sox', inFolder('pcm-16.wav'), inScratch('flat.raw'));
	const samples = `cat ${inScratch('flat.raw')}`;
	const sox = 'sox -r 8000 -c 1 -b 16 -e signed -t raw - -t wav -';
	const soxPipe = run('sh', '-c', `${samples} | ${sox} 2>/dev/null | cat`);
	written('sox-streamed.wav', 'WAV', soxPipe, { note: 'sox into a pipe' });
	const plain = read('pcm-16.wav');
	written('odd-chunk.wav', 'WAV', insertChunk(plain, chunk('note', Buffer.from('three'))), {
		note: 'a chunk of odd length, padded, before the format',
	});
	written('large-chunk.wav', 'WAV', insertChunk(plain, chunk('JUNK', Buffer.alloc(20_000))), {
		note: 'the format stands behind 20 kB',
	});
	const bw64 = Buffer.from(read('rf64.wav'));
	bw64.write('BW64', 'latin1');
	written('bw64.wav', 'WAV', bw64, { note: 'BW64: as RF64, under another name' });
	const zero = Buffer.from(plain);
	zero.writeUInt32LE(0, 4);
	zero.writeUInt32LE(0, zero.indexOf('data') + 4);
	written('crashed.wav', 'WAV', zero, {
		note: 'a recorder that was switched off: all lengths are 0',
		measured: probe(inFolder('pcm-16.wav')),
	});
	const wrong = Buffer.from(plain);
	wrong.writeUInt32LE(1600, wrong.indexOf('data') + 4);
	const { samplingRate, channels } = probe(inFolder('pcm-16.wav'));
	written('wrong-length.wav', 'WAV', wrong, {
		note: 'its data is four times as long as the header says',
		measured: { samplingRate, channels },
	});
	const half = plain.subarray(0, plain.length / 2);
	const data = plain.indexOf('data') + 8;
	written('truncated.wav', 'WAV', half, {
		note: 'half of it: the header promises more than is there',
		measured: { ...probe(inFolder('pcm-16.wav')), seconds: (half.length - data) / 16_000 },
	});
	written('header-only.wav', 'WAV', plain.subarray(0, 20), { note: '20 bytes', measured: {} });
}
