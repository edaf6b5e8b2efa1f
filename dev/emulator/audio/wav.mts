/** The value of ISFT in WAV files that the emulator writes. */
export const ownSoftware = 'voice-speech emulator (make-believe speech)';

const bytesPerSample = 2;
const utf8CodePage = 65_001;

/**
 * Writes a mono 16-bit WAV file. The metadata (RIFF LIST/INFO in UTF-8) contains the text, so that speech to text can
 * return it.
 *
 * @param samplingRate in Hz
 * @param text for the metadata; undefined for a file without metadata
 */
export function writeWav(samples: Int16Array, samplingRate: number, text?: string): Buffer {
	const format = Buffer.alloc(16);
	// PCM, one channel.
	format.writeUInt16LE(1, 0);
	format.writeUInt16LE(1, 2);
	format.writeUInt32LE(samplingRate, 4);
	format.writeUInt32LE(samplingRate * bytesPerSample, 8);
	format.writeUInt16LE(bytesPerSample, 12);
	format.writeUInt16LE(bytesPerSample * 8, 14);
	const data = Buffer.alloc(samples.length * bytesPerSample);
	samples.forEach((sample, index) => data.writeInt16LE(sample, index * bytesPerSample));
	return createChunk('RIFF', [
		Buffer.from('WAVE'),
		createChunk('fmt ', [format]),
		...(text === undefined ? [] : createMetadata(text)),
		createChunk('data', [data]),
	]);
}

function createMetadata(text: string) {
	const characterSet = Buffer.alloc(8);
	characterSet.writeUInt16LE(utf8CodePage);
	return [
		createChunk('CSET', [characterSet]),
		createChunk('LIST', [
			Buffer.from('INFO'),
			createChunk('ISFT', [Buffer.from(`${ownSoftware}\0`)]),
			// JSON escapes the character NUL, which would end the value.
			createChunk('ICMT', [Buffer.from(`${JSON.stringify(text)}\0`)]),
		]),
	];
}

/** @param name four characters */
function createChunk(name: string, parts: Buffer[]) {
	const body = Buffer.concat(parts);
	const head = Buffer.alloc(8);
	head.write(name, 'latin1');
	head.writeUInt32LE(body.length, 4);
	// Chunks start at even positions; the padding does not count in the length.
	return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}
