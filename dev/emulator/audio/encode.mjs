import { writeWav } from './wav.mjs';

/**
 * @param {import('../settings.mjs').Settings['ttsEncoding']} encoding
 * @param {import('../speech/speak.mjs').Speech} speech
 * @param {string} text for the file's metadata
 * @returns {{contentType: string, body: Buffer}}
 */
export function encode(encoding, { samples, rate }, text) {
	if (encoding === 'wav') return { contentType: 'audio/wav', body: writeWav(samples, text, rate) };
	// RFC 2586: audio/L16 has the high byte first.
	const body = Buffer.alloc(samples.length * 2);
	samples.forEach((sample, index) => body.writeInt16BE(sample, index * 2));
	return { contentType: `audio/L16;rate=${rate};channels=1`, body };
}
