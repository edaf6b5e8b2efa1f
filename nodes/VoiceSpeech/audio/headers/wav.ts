import type { AudioProperties, AudioReader } from '../reader';

/**
 * Lengths from this number on, in bytes or samples, are unknown, or `ds64` has the length. sox writes this one (its
 * wav.c).
 */
const unknownLength = 0x7fff_f000;

/**
 * Codecs in which every second has the same number of bytes: PCM, float, A-law, mu-law (RFC 2361), and
 * WAVE_FORMAT_EXTENSIBLE (Microsoft's mmreg.h), whose fields have the same offsets.
 */
const constantRateCodecs = [1, 3, 6, 7, 0xfffe];

/** If more than this share of the data follows, it is not a chunk of tags, but the header is wrong. */
const maxTrailingShare = 0.1;

/**
 * Length of the data in bytes, by the header and to the end of the file; undefined if unknown. A recorder that was
 * switched off leaves a wrong one in the header.
 */
function chooseDataLength(
	declared: number | undefined,
	available: number | undefined,
): number | undefined {
	if (declared === undefined || available === undefined) return declared ?? available;
	return available > declared * (1 + maxTrailingShare) ? undefined : Math.min(declared, available);
}

/** A duration in seconds; undefined if the amount or its rate is unknown. */
function divide(amount: number | undefined, perSecond: number): number | undefined {
	return amount === undefined || perSecond === 0 ? undefined : amount / perSecond;
}

/**
 * Reads the header of a WAV file (Microsoft's RIFF specification), RF64 (EBU Tech 3306) or BW64 (ITU-R BS.2088): the
 * chunks up to the data.
 */
export async function readWav(reader: AudioReader): Promise<AudioProperties> {
	const { size } = reader;
	let codec = 0;
	let channels = 0;
	let samplingRate = 0;
	let bytesPerSecond = 0;
	/** Number of samples per channel. */
	let samples = 0;
	/** Length of the data in bytes. */
	let bytes: number | undefined;
	/** The same by `ds64`, which is there if 32 bits are not enough. */
	let longLength: number | undefined;
	// After `RIFF`, the length of the file and `WAVE`.
	let offset = 12;
	for (;;) {
		const chunk = await reader.peekAt(offset, 40);
		if (chunk.length < 8) break;
		const name = chunk.toString('latin1', 0, 4);
		const length = chunk.readUInt32LE(4);
		offset += 8;
		if (name === 'data') {
			const declared = length > 0 && length < unknownLength ? length : longLength;
			bytes = chooseDataLength(declared, size && Math.max(0, size - offset));
			break;
		}
		if (name === 'fmt ' && chunk.length >= 24) {
			codec = chunk.readUInt16LE(8);
			channels = chunk.readUInt16LE(10);
			samplingRate = chunk.readUInt32LE(12);
			bytesPerSecond = chunk.readUInt32LE(16);
		}
		if (name === 'fact' && chunk.length >= 12) samples = chunk.readUInt32LE(8);
		if (name === 'ds64' && chunk.length >= 24) longLength = Number(chunk.readBigUInt64LE(16));
		// Chunks begin at even offsets.
		offset += length + (length % 2);
	}
	const isConstant = constantRateCodecs.includes(codec);
	const knownSamples = samples > 0 && samples < unknownLength ? samples : undefined;
	return {
		samplingRate: samplingRate || undefined,
		channels: channels || undefined,
		// The bytes per second of compressed audio are an estimate, so its samples are counted instead.
		seconds: isConstant ? divide(bytes, bytesPerSecond) : divide(knownSamples, samplingRate),
	};
}
