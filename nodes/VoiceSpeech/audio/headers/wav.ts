import type { AudioGap, AudioProperties, AudioReader } from '../reader';

/**
 * A length of this number or more, in bytes or samples, means that the length is unknown, or that the chunk `ds64` has it.
 * sox writes this number (its wav.c), other programs write the highest one.
 */
const unknownLength = 0x7fff_f000;

/** Codecs in which every second has the same number of bytes: PCM, float, A-law, mu-law (RFC 2361). */
const constantRateCodecs = [1, 3, 6, 7];

/** WAVE_FORMAT_EXTENSIBLE (Microsoft's mmreg.h). Its subformat starts with the codec. */
const extensibleFormat = 0xfffe;

/** A file of this length or more, in bytes, may have its data elsewhere, for example after a chunk of an odd length. */
const maxEmptyBytes = 4096;

/** If more than this share of the data follows, it is not a chunk of tags, but the header is wrong. */
const maxTrailingShare = 0.1;

/** What the chunks up to the data contain. */
interface WavHeader {
	codec: number;
	channels: number;
	/** In Hz. */
	samplingRate: number;
	/** Bytes of one sample of all channels. */
	blockAlign: number;
	/** Bits of one sample of one channel, with those that are not used. */
	bits: number;
	/** Samples of each channel, which a `fact` chunk counts. */
	samples: number;
	/** Length of the data in bytes by `ds64`, which is there if 32 bits are not enough. */
	longLength: number | undefined;
	/** Length of the data in bytes by its chunk; undefined without a `data` chunk. */
	length: number | undefined;
	/** Offset of the data in bytes. */
	dataOffset: number;
	/** Length of the file in bytes by its first chunk. */
	riffLength: number;
}

/** Reads the chunks in front of the data. */
async function readRiffChunks(reader: AudioReader, start: number): Promise<WavHeader> {
	const header: WavHeader = {
		codec: 0,
		channels: 0,
		samplingRate: 0,
		blockAlign: 0,
		bits: 0,
		samples: 0,
		longLength: undefined,
		length: undefined,
		dataOffset: 0,
		riffLength: 0,
	};
	const riff = await reader.peekAt(start, 8);
	if (riff.length === 8) header.riffLength = riff.readUInt32LE(4) + 8;
	// After `RIFF`, the length of the file and `WAVE`.
	let offset = start + 12;
	for (;;) {
		const chunk = await reader.peekAt(offset, 40);
		if (chunk.length < 8) return header;
		const name = chunk.toString('latin1', 0, 4);
		const length = chunk.readUInt32LE(4);
		offset += 8;
		if (name === 'data') return { ...header, length, dataOffset: offset };
		if (name === 'fmt ' && chunk.length >= 24) {
			header.codec = chunk.readUInt16LE(8);
			header.channels = chunk.readUInt16LE(10);
			header.samplingRate = chunk.readUInt32LE(12);
			header.blockAlign = chunk.readUInt16LE(20);
			header.bits = chunk.readUInt16LE(22);
			const hasSubformat = header.codec === extensibleFormat && length >= 40 && chunk.length >= 34;
			if (hasSubformat) header.codec = chunk.readUInt16LE(32);
		}
		if (name === 'fact' && chunk.length >= 12) header.samples = chunk.readUInt32LE(8);
		if (name === 'ds64' && chunk.length >= 24) {
			header.longLength = Number(chunk.readBigUInt64LE(16));
		}
		// Chunks begin at even offsets.
		offset += length + (length % 2);
	}
}

/** Length of the data in bytes as the header specifies it; undefined if it does not. */
function getDeclaredLength({ length = 0, longLength }: WavHeader): number | undefined {
	return length > 0 && length < unknownLength ? length : longLength;
}

/**
 * Length of the data in bytes; undefined if unknown. A recorder that was switched off leaves a wrong one in the header.
 *
 * @param fileSize in bytes
 */
function findDataLength(header: WavHeader, fileSize: number): number | undefined {
	if (header.length === undefined) return undefined;
	const declared = getDeclaredLength(header);
	const available = Math.max(0, fileSize - header.dataOffset);
	if (declared === undefined) return available;
	const isWrong = available > declared * (1 + maxTrailingShare);
	return isWrong ? undefined : Math.min(declared, available);
}

/**
 * Bytes per second of audio at a constant rate; undefined if unknown. Not the average byte rate of the header, because
 * recordings with a wrong one play normally.
 */
function findByteRate({ channels, bits, blockAlign, samplingRate }: WavHeader): number | undefined {
	const isPlausible = blockAlign === channels * Math.ceil(bits / 8);
	return isPlausible ? blockAlign * samplingRate || undefined : undefined;
}

/** Duration in seconds; undefined if unknown. */
function findSeconds(header: WavHeader, fileSize: number | undefined): number | undefined {
	// Only the size of the file shows whether a length in the header is wrong.
	if (fileSize === undefined) return undefined;
	const { codec, samples, samplingRate } = header;
	if (constantRateCodecs.includes(codec)) {
		const length = findDataLength(header, fileSize);
		const byteRate = findByteRate(header);
		return length === undefined || byteRate === undefined ? undefined : length / byteRate;
	}
	// The bytes per second of compressed audio are an estimate, so its samples are counted instead.
	const isCounted = samples > 0 && samples < unknownLength && samplingRate > 0;
	return isCounted ? samples / samplingRate : undefined;
}

/**
 * Reads the header of a WAV file (Microsoft's RIFF specification), RF64 (EBU Tech 3306) or BW64 (ITU-R BS.2088).
 *
 * @param start offset of `RIFF` in bytes
 */
export async function probeWav(reader: AudioReader, start: number): Promise<AudioProperties> {
	const header = await readRiffChunks(reader, start);
	return {
		samplingRate: header.samplingRate || undefined,
		channels: header.channels || undefined,
		seconds: findSeconds(header, reader.size),
	};
}

/** Whether nothing but chunks is between an offset and the end of a file of this size, all in bytes. */
async function endsInChunks(reader: AudioReader, start: number, size: number): Promise<boolean> {
	let offset = start;
	while (offset < size) {
		const header = await reader.peekAt(offset, 8);
		const isChunk = header.length === 8 && /^[\x20-\x7e]{4}/.test(header.toString('latin1'));
		if (!isChunk) return false;
		const length = header.readUInt32LE(4);
		offset += 8 + length + (length % 2);
	}
	return offset <= size + 1;
}

/** How many bytes may be missing. Some programs count the header as data, or round up. */
const lengthTolerance = 64;

/**
 * Compares the length of the data with the header.
 *
 * @param start offset of `RIFF` in bytes
 */
export async function findWavGap(reader: AudioReader, start: number): Promise<AudioGap> {
	const header = await readRiffChunks(reader, start);
	const { length, dataOffset, riffLength } = header;
	const bytes = await reader.peekAt(0, maxEmptyBytes);
	const isEntireFile = bytes.length < maxEmptyBytes;
	const size = reader.size ?? (isEntireFile ? bytes.length : undefined);
	if (length === undefined) return isEntireFile && !bytes.includes('data') ? 'all' : 'none';
	if (size === undefined) return 'none';
	if (dataOffset >= size) return 'all';
	// A recorder that was switched off leaves 0 too, but mostly also in the length of the file.
	const isFinished = length === 0 && start + riffLength === size;
	if (isFinished && (await endsInChunks(reader, dataOffset, size))) return 'all';
	const declared = getDeclaredLength(header) ?? 0;
	return dataOffset + declared > size + lengthTolerance ? 'end' : 'none';
}
