/** Recordings in formats that the service does not accept. */
import * as make from './tools.mjs';
import { inFolder, inScratch, run, tone } from './tools.mjs';

export function makeOthers() {
	/** @param {string} file @param {string} format @param {string} args @param {string} note */
	const other = (file, format, args, note) => make.ffmpeg(file, format, tone(1), args, { note });
	other('vorbis.ogg', 'OGG', '-c:a libvorbis -b:a 32k', 'Vorbis');
	other('opus.opus', 'OGG Opus', '-c:a libopus -b:a 8k', 'Opus');
	other('flac.ogg', 'OGG', '-c:a flac', 'FLAC in OGG');
	other('opus.webm', 'WebM', '-c:a libopus -b:a 8k', "a browser's recorder");
	other('vorbis.mka', 'WebM', '-c:a libvorbis -b:a 32k', 'Matroska');
	other('adts.aac', 'AAC', '-c:a aac -b:a 12k', 'AAC without a container');
	make.written('id3.aac', 'AAC', Buffer.concat([make.titleTag(), make.read('adts.aac')]), {
		note: 'AAC with a tag in front, as radio stations send it',
	});
	other('aiff.aiff', 'AIFF', '-ar 8000 -t 0.2', 'AIFF');
	run(`sox ${inFolder('aiff.aiff')} ${inScratch('a.aifc')}`);
	make.written('aifc.aifc', 'AIFF', make.readScratch('a.aifc'), { note: 'AIFF-C' });
	other('sun.au', 'AU', '-ar 8000 -t 0.2', 'Sun');
	other('core.caf', 'CAF', '-ar 8000 -t 0.2 -c:a pcm_s16le', "Apple's CAF");
	other('windows.wma', 'WMA', '-c:a wmav2 -b:a 24k -t 0.5', 'Windows Media');
	other('quicktime.mov', 'QuickTime', '-c:a pcm_s16le -ar 8000 -t 0.2', 'QuickTime');
	other('video.avi', 'AVI', '-c:a pcm_s16le -ar 8000 -t 0.2', 'AVI');
	run(`sox -n -r 8000 -c 1 ${inScratch('a.amr-nb')} synth 1 sine 300`);
	make.written('telephone.amr', 'AMR', make.readScratch('a.amr-nb'), { note: 'AMR, narrow band' });
	run(`sox ${inFolder('pcm-16.wav')} -t raw ${inScratch('raw.pcm')}`);
	make.written('raw.pcm', '', make.readScratch('raw.pcm'), { note: 'samples and nothing else' });
	for (const byte of [0x00, 0x55, 0x7f, 0xd5, 0xff]) {
		const name = byte.toString(16).padStart(2, '0');
		make.written(`silence-${name}.raw`, '', Buffer.alloc(8000, byte), {
			note: `digital silence of PCM or G.711: nothing but 0x${name}`,
		});
	}
	for (const [file, codec] of Object.entries({ 'quiet.ul': 'mulaw', 'quiet.al': 'alaw' })) {
		const quiet = '-f lavfi -i anoisesrc=a=0.0005:r=8000:d=1:seed=1';
		run(`ffmpeg -v error -y ${quiet} -f ${codec} ${inFolder(file)}`);
		make.written(file, '', make.read(file), {
			note: 'a quiet line of the telephone, without a header',
		});
	}
}
