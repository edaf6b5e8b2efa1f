import type { FileView } from '../fileView';
import { nameAt, type AudioProperties } from './header';

/** In bytes or samples: greater lengths mean "unknown", or that `ds64` has the length. sox writes this one. */
const unknownLength = 0x7fff_f000;

/** Formats in which every second has the same number of bytes: PCM, float, A-law, mu-law, extensible. */
const uncompressed = [1, 3, 6, 7, 0xfffe];

/** Contents of the chunks in front of the data. */
interface Chunks {
	format?: { tag: number; channels: number; samplingRate: number; bytesPerSecond: number };
	/** Number of samples per channel: the length of compressed audio. */
	samples?: number;
	/** Of the data, in bytes, if 32 bits are not enough. */
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
	// The length of the data is the second number of ds64.
	if (name === 'ds64' && chunk.byteLength >= 24) {
		chunks.longLength = Number(chunk.getBigUint64(16, true));
	}
}

/** @param bytes length of the data; undefined if unknown */
function secondsOf({ format, samples = 0 }: Chunks, bytes: number | undefined): number | undefined {
	if (format === undefined) return undefined;
	const { tag, samplingRate, bytesPerSecond } = format;
	if (!uncompressed.includes(tag)) {
		// The bytes per second of compressed audio are an estimate.
		const isCounted = samples > 0 && samples < unknownLength && samplingRate > 0;
		return isCounted ? samples / samplingRate : undefined;
	}
	return bytes === undefined || bytesPerSecond === 0 ? undefined : bytes / bytesPerSecond;
}

function propertiesOf(chunks: Chunks, bytes: number | undefined): AudioProperties {
	const { channels = 0, samplingRate = 0 } = chunks.format ?? {};
	const seconds = secondsOf(chunks, bytes);
	return {
		...(samplingRate > 0 ? { samplingRate } : {}),
		...(channels > 0 ? { channels } : {}),
		...(seconds === undefined ? {} : { seconds }),
	};
}

/** More than this share of the data behind it is not a chunk of tags: the header is wrong. */
const maxTrailingShare = 0.1;

/**
 * Length of the data in bytes. A recorder that was switched off leaves a wrong length in the header.
 *
 * @param available bytes from the beginning of the data to the end of the file; undefined if unknown
 * @returns undefined if unknown
 */
function dataLength(
	declared: number,
	{ longLength }: Chunks,
	available: number | undefined,
): number | undefined {
	const isKnown = declared > 0 && declared < unknownLength;
	const length = isKnown ? declared : longLength;
	if (length === undefined || available === undefined) return length ?? available;
	return available > length * (1 + maxTrailingShare) ? undefined : Math.min(length, available);
}

/**
 * Reads the header of a WAV file: RIFF, RF64 and BW64, plain and WAVE_FORMAT_EXTENSIBLE, whose fields have the same
 * offsets (Microsoft's RIFF specification, EBU Tech 3306).
 */
export async function readWav(file: FileView): Promise<AudioProperties> {
	const chunks: Chunks = {};
	let offset = 12;
	for (;;) {
		const chunk = await file.at(offset, 40);
		if (chunk.byteLength < 8) return propertiesOf(chunks, undefined);
		const name = nameAt(chunk, 0);
		const length = chunk.getUint32(4, true);
		readChunk(chunks, name, chunk);
		if (name === 'data') {
			const { fileSize } = file;
			const available = fileSize === undefined ? undefined : Math.max(0, fileSize - offset - 8);
			return propertiesOf(chunks, dataLength(length, chunks, available));
		}
		offset += 8 + length + (length % 2);
	}
}
