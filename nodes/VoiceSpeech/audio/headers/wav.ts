import { nameAt, type Beginning, type Measures } from './header';

/** From here on a length stands for one that was not known when the header was written, or that `ds64` tells. */
const unknownLength = 0x7fff_f000;

/** Formats in which every second has the same number of bytes: PCM, floating point, A-law, mu-law, extensible. */
const uncompressed = [1, 3, 6, 7, 0xfffe];

/** What the chunks in front of the data tell. */
interface Chunks {
	format?: { tag: number; channels: number; samplingRate: number; bytesPerSecond: number };
	/** Samples of one channel; tells the length of compressed audio. */
	samples?: number;
	/** Of the data, in bytes, where 32 bits are not enough. */
	longLength?: number;
}

function readChunk(chunks: Chunks, name: string, chunk: DataView): void {
	if (name === 'fmt ' && chunk.byteLength >= 24) {
		chunks.format = {
			tag: chunk.getUint16(8, true),
			channels: chunk.getUint16(10, true),
			samplingRate: chunk.getUint32(12, true),
			bytesPerSecond: chunk.getUint32(16, true),
		};
	}
	if (name === 'fact' && chunk.byteLength >= 12) chunks.samples = chunk.getUint32(8, true);
	// The data's length is the second number of ds64.
	if (name === 'ds64' && chunk.byteLength >= 24) {
		chunks.longLength = Number(chunk.getBigUint64(16, true));
	}
}

/** @param bytes of the data that are there; undefined where that is not known */
function secondsOf({ format, samples = 0 }: Chunks, bytes: number | undefined): number | undefined {
	if (format === undefined) return undefined;
	const { tag, samplingRate, bytesPerSecond } = format;
	const isCounted = samples > 0 && samples < unknownLength && samplingRate > 0;
	if (isCounted && !uncompressed.includes(tag)) return samples / samplingRate;
	return bytes === undefined || bytesPerSecond === 0 ? undefined : bytes / bytesPerSecond;
}

function measuresOf(chunks: Chunks, bytes: number | undefined): Measures {
	const { channels = 0, samplingRate = 0 } = chunks.format ?? {};
	const seconds = secondsOf(chunks, bytes);
	return {
		...(samplingRate > 0 ? { samplingRate } : {}),
		...(channels > 0 ? { channels } : {}),
		...(seconds === undefined ? {} : { seconds }),
	};
}

/** How many bytes of data there are: a recorder that was cut off leaves a wrong length behind. */
function dataLength(
	announced: number,
	{ longLength }: Chunks,
	there: number | undefined,
): number | undefined {
	const isKnown = announced > 0 && announced < unknownLength;
	const told = isKnown ? announced : longLength;
	if (told === undefined || there === undefined) return told ?? there;
	return Math.min(told, there);
}

/**
 * Reads the header of a WAV file: RIFF, RF64 and BW64, plain and WAVE_FORMAT_EXTENSIBLE, whose fields stand at the
 * same places (Microsoft's RIFF specification, EBU Tech 3306).
 */
export async function readWav(file: Beginning): Promise<Measures> {
	const chunks: Chunks = {};
	let place = 12;
	for (;;) {
		const chunk = await file.at(place, 40);
		if (chunk.byteLength < 8) return measuresOf(chunks, undefined);
		const name = nameAt(chunk, 0);
		const length = chunk.getUint32(4, true);
		readChunk(chunks, name, chunk);
		if (name === 'data') {
			const there =
				file.fileSize === undefined ? undefined : Math.max(0, file.fileSize - place - 8);
			return measuresOf(chunks, dataLength(length, chunks, there));
		}
		place += 8 + length + (length % 2);
	}
}
