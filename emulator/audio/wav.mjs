/** What the emulator writes into its WAV files as their software, and looks for again. */
export const OWN_SOFTWARE = 'voice-speech emulator (make-believe speech)';

/** Samples per second of everything the emulator says: the emulator's own choice. */
export const SAMPLE_RATE = 16_000;

const BYTES_PER_SAMPLE = 2;

/**
 * Writes a mono 16 bit WAV file at SAMPLE_RATE which carries the text it says in its own metadata
 * (RIFF LIST/INFO, as UTF-8), so that speech to text can give it back.
 * @param {Int16Array} samples
 * @param {string} text
 * @returns {Buffer}
 */
export function writeWav(samples, text) {
	const format = Buffer.alloc(16);
	format.writeUInt16LE(1, 0); // PCM
	format.writeUInt16LE(1, 2); // channels
	format.writeUInt32LE(SAMPLE_RATE, 4);
	format.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 8);
	format.writeUInt16LE(BYTES_PER_SAMPLE, 12);
	format.writeUInt16LE(BYTES_PER_SAMPLE * 8, 14);
	const info = Buffer.concat([
		Buffer.from('INFO'),
		chunk('ISFT', Buffer.from(`${OWN_SOFTWARE}\0`)),
		chunk('ICMT', Buffer.from(`${text}\0`)),
	]);
	return chunk(
		'RIFF',
		Buffer.concat([
			Buffer.from('WAVE'),
			chunk('fmt ', format),
			chunk('LIST', info),
			chunk('data', littleEndian(samples)),
		]),
	);
}

/**
 * @param {Int16Array} samples
 * @returns {Buffer} two bytes a sample, the low one first
 */
function littleEndian(samples) {
	const bytes = Buffer.alloc(samples.length * BYTES_PER_SAMPLE);
	samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * BYTES_PER_SAMPLE));
	return bytes;
}

/**
 * @param {string} name four characters
 * @param {Buffer} body
 */
function chunk(name, body) {
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(body.length, 4);
	// Chunks begin at even positions; the filler does not count in the length.
	return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
