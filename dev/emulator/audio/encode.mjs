import { writeWav } from './wav.mjs';

/**
 * @typedef {import('../settings.mjs').Settings['ttsEncoding']} Encoding
 * @typedef {{contentType: string, body: Buffer}} Encoded
 */

/**
 * @param {Encoding} encoding
 * @param {import('../speech/speak.mjs').Speech} speech
 * @param {string} text for the file's metadata
 * @returns {Encoded}
 */
export function encode(encoding, { samples, rate }, text) {
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
	}
}
