import { Refusal } from '../gateway/refusal.mjs';
import { hasProgram, runProgram } from './programs.mjs';
import { SAMPLE_RATE, writeWav } from './wav.mjs';

/**
 * @typedef {import('../settings.mjs').Settings['ttsEncoding']} Encoding
 * @typedef {object} Encoded
 * @property {string} contentType
 * @property {Buffer} body
 */

/** Encodings that need another program. Opus in Ogg wants no other rate than its own, hence Vorbis. */
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
 * Makes sure that this machine can write an encoding, before anything is debited.
 * @param {Encoding} encoding
 * @returns {Promise<void>}
 * @throws {Refusal} unavailable
 */
export async function requireEncoder(encoding) {
	if (encoding in COMPRESSED && !(await findEncoder())) {
		throw new Refusal(
			'unavailable',
			`The emulator answers ${encoding} only where the machine has ffmpeg or sox.`,
		);
	}
}

/**
 * Writes speech in one of the encodings that a client may have to cope with: the interface
 * document does not show the real one.
 * @param {Encoding} encoding
 * @param {Int16Array} samples mono, at SAMPLE_RATE
 * @param {string} text what they say
 * @returns {Promise<Encoded>}
 * @throws {Refusal} unavailable, where the other program cannot write that encoding
 */
export async function encode(encoding, samples, text) {
	const wav = writeWav(samples, text);
	switch (encoding) {
		case 'wav':
			return { contentType: 'audio/wav', body: wav };
		case 'mislabelled':
			return { contentType: 'audio/mpeg', body: wav };
		case 'base64json':
			return {
				contentType: 'application/json; charset=utf-8',
				body: Buffer.from(
					JSON.stringify({
						audio: wav.toString('base64'),
						content_type: 'audio/wav',
						emulated: true,
					}),
				),
			};
		case 'pcm':
			return {
				contentType: `audio/L16;rate=${SAMPLE_RATE};channels=1`,
				body: bigEndian(samples),
			};
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

/**
 * @param {Int16Array} samples
 * @returns {Buffer} two bytes a sample, the high one first, as RFC 2586 wants audio/L16
 */
function bigEndian(samples) {
	const bytes = Buffer.alloc(samples.length * 2);
	samples.forEach((sample, index) => bytes.writeInt16BE(sample, index * 2));
	return bytes;
}
