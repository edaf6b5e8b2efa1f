import { Refusal } from '../http/refusal.mjs';
import { hasProgram, runProgram } from './programs.mjs';
import { writeWav } from './wav.mjs';

/**
 * @typedef {import('../settings.mjs').Settings['ttsEncoding']} Encoding
 * @typedef {{contentType: string, body: Buffer}} Encoded
 */

/** Encodings that another program writes. Opus would need another sampling rate, hence Vorbis. */
const COMPRESSED = {
	mp3: { contentType: 'audio/mpeg', ffmpeg: ['-f', 'mp3'], sox: ['-t', 'mp3'] },
	flac: { contentType: 'audio/flac', ffmpeg: ['-f', 'flac'], sox: ['-t', 'flac'] },
	ogg: {
		contentType: 'audio/ogg',
		ffmpeg: ['-c:a', 'libvorbis', '-f', 'ogg'],
		sox: ['-t', 'vorbis'],
	},
};

/**
 * Checks, before the debit, that this machine can write an encoding.
 * @param {Encoding} encoding
 * @returns {Promise<void>}
 * @throws {Refusal} unavailable
 */
export async function requireEncoder(encoding) {
	if (encoding in COMPRESSED && !(await findEncoder())) {
		throw new Refusal(
			'unavailable',
			`The emulator writes ${encoding} only if the machine has ffmpeg or sox.`,
		);
	}
}

/**
 * @param {Encoding} encoding
 * @param {import('../speech/speak.mjs').Speech} speech
 * @param {string} text what it says
 * @returns {Promise<Encoded>}
 * @throws {Refusal} unavailable, if the other program cannot write the encoding
 */
export async function encode(encoding, { samples, rate }, text) {
	const wav = writeWav(samples, text, rate);
	switch (encoding) {
		case 'wav':
			return { contentType: 'audio/wav', body: wav };
		case 'mislabelled':
			return { contentType: 'audio/mpeg', body: wav };
		case 'base64json': {
			const body = { audio: wav.toString('base64'), content_type: 'audio/wav' };
			return {
				contentType: 'application/json; charset=utf-8',
				body: Buffer.from(JSON.stringify(body)),
			};
		}
		case 'pcm': {
			// RFC 2586: audio/L16 has the high byte first.
			const body = Buffer.alloc(samples.length * 2);
			samples.forEach((sample, index) => body.writeInt16BE(sample, index * 2));
			return { contentType: `audio/L16;rate=${rate};channels=1`, body };
		}
		default:
			return await compress(encoding, wav);
	}
}

/**
 * @param {keyof typeof COMPRESSED} encoding
 * @param {Buffer} wav
 * @returns {Promise<Encoded>}
 */
async function compress(encoding, wav) {
	const { contentType, ffmpeg, sox } = COMPRESSED[encoding];
	const program = (await findEncoder()) ?? 'sox';
	const args =
		program === 'ffmpeg'
			? ['-hide_banner', '-loglevel', 'error', '-f', 'wav', '-i', 'pipe:0', ...ffmpeg, 'pipe:1']
			: ['-t', 'wav', '-', ...sox, '-'];
	try {
		return { contentType, body: await runProgram(program, args, wav) };
	} catch {
		throw new Refusal('unavailable', `The machine's ${program} cannot write ${encoding}.`);
	}
}

/** @returns {Promise<'ffmpeg' | 'sox' | undefined>} */
async function findEncoder() {
	if (await hasProgram('ffmpeg', '-version')) return 'ffmpeg';
	return (await hasProgram('sox', '--version')) ? 'sox' : undefined;
}
