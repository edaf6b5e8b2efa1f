/** The value of ISFT in WAV files that the emulator writes. */
export const OWN_SOFTWARE = 'voice-speech emulator (make-believe speech)';

/** Samples per second of speech in tones. */
export const SAMPLE_RATE = 16_000;

const BYTES_PER_SAMPLE = 2;
const UTF_8_CODE_PAGE = 65_001;

/**
 * Writes a mono 16-bit WAV file. The metadata (RIFF LIST/INFO in UTF-8) contains the text, so that
 * speech to text can return it.
 * @param text for the metadata; undefined for a file without metadata
 * @param rate samples per second
 */
export function writeWav(samples: Int16Array, text?: string, rate: number = SAMPLE_RATE): Buffer {
	const format = Buffer.alloc(16);
	format.writeUInt16LE(1, 0); // PCM
	format.writeUInt16LE(1, 2); // channels
	format.writeUInt32LE(rate, 4);
	format.writeUInt32LE(rate * BYTES_PER_SAMPLE, 8);
	format.writeUInt16LE(BYTES_PER_SAMPLE, 12);
	format.writeUInt16LE(BYTES_PER_SAMPLE * 8, 14);
	const data = Buffer.alloc(samples.length * BYTES_PER_SAMPLE);
	samples.forEach((sample, index) => data.writeInt16LE(sample, index * BYTES_PER_SAMPLE));
	return chunk('RIFF', [
		Buffer.from('WAVE'),
		chunk('fmt ', [format]),
		...(text === undefined ? [] : metadata(text)),
		chunk('data', [data]),
	]);
}

function metadata(text: string) {
	const characterSet = Buffer.alloc(8);
	characterSet.writeUInt16LE(UTF_8_CODE_PAGE);
	return [
		chunk('CSET', [characterSet]),
		chunk('LIST', [
			Buffer.from('INFO'),
			chunk('ISFT', [Buffer.from(`${OWN_SOFTWARE}\0`)]),
			// JSON escapes the character NUL, which would end the value.
			chunk('ICMT', [Buffer.from(`${JSON.stringify(text)}\0`)]),
		]),
	];
}

/** @param name four characters */
function chunk(name: string, parts: Buffer[]) {
	const body = Buffer.concat(parts);
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(body.length, 4);
	// Chunks start at even positions; the padding does not count in the length.
	return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
