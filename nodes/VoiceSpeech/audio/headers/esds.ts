import type { AudioProperties } from './header';

/** In Hz, by the index in the configuration (ISO/IEC 14496-3, 1.6.3.4). */
const samplingRates = [
	96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
	7350,
];

/** By the channel configuration; 0: described elsewhere. */
const channelCounts = [undefined, 1, 2, 3, 4, 5, 6, 8];

/** Audio object types (ISO/IEC 14496-3, 1.5.1.1): AAC, HE-AAC (twice the sampling rate) and HE-AAC v2 (stereo). */
const aacLc = 2;
const withSbr = 5;
const withParametricStereo = 29;

/** Sync words of the extensions that declare AAC as HE-AAC, or as HE-AAC v2 (ISO/IEC 14496-3, 1.6.2.1). */
const sbrExtension = 0x2b7;
const stereoExtension = 0x548;

/** Reads numbers of any width, one after the other. */
class Bits {
	private readonly bits: string;

	private offset = 0;

	constructor(bytes: Uint8Array) {
		this.bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
	}

	/** NaN if fewer bits are left. */
	take(width: number): number {
		const bits = this.bits.slice(this.offset, this.offset + width);
		this.offset += width;
		return bits.length < width ? NaN : parseInt(bits, 2);
	}
}

function samplingRateOf(bits: Bits): number | undefined {
	const index = bits.take(4);
	return index === 15 ? bits.take(24) || undefined : samplingRates[index];
}

/** Reads an AudioSpecificConfig, which is right where the sample entry is not. */
function readConfiguration(bytes: Uint8Array): AudioProperties {
	const bits = new Bits(bytes);
	const type = bits.take(5);
	// A type above 31 is in the next six bits, and none of those below.
	if (type === 31) bits.take(6);
	let samplingRate = samplingRateOf(bits);
	let channels = channelCounts[bits.take(4)];
	if (type === withSbr || type === withParametricStereo) samplingRate = samplingRateOf(bits);
	if (type === withParametricStereo) channels = 2;
	// Three flags, all off, are in front of an extension.
	const isExtended = type === aacLc && bits.take(3) === 0 && bits.take(11) === sbrExtension;
	if (isExtended && bits.take(5) === withSbr && bits.take(1) === 1) {
		samplingRate = samplingRateOf(bits);
		if (bits.take(11) === stereoExtension && bits.take(1) === 1) channels = 2;
	}
	return {
		...(channels === undefined ? {} : { channels }),
		...(samplingRate === undefined ? {} : { samplingRate }),
	};
}

/** The content of a descriptor (ISO/IEC 14496-1, 8.3.3), whose length takes up to four bytes. */
function contentOf(bytes: Uint8Array, tag: number): Uint8Array | undefined {
	if (bytes[0] !== tag) return undefined;
	let length = 0;
	for (let index = 1; index <= 4; index++) {
		const byte = bytes[index] ?? 0;
		length = length * 128 + (byte & 127);
		if (byte < 128) return bytes.subarray(index + 1, index + 1 + length);
	}
	return undefined;
}

/**
 * Reads an `esds` box of MP4.
 *
 * @param bytes its content
 * @returns sampling rate and channels: the sample entry often says two channels, regardless of the audio
 */
export function readEsds(bytes: Uint8Array): AudioProperties {
	const stream = contentOf(bytes.subarray(4), 3);
	if (stream === undefined) return {};
	const flags = stream[2] ?? 0;
	// Optional fields, each with a flag.
	const dependency = flags & 0x80 ? 2 : 0;
	const url = flags & 0x40 ? 1 + (stream[3 + dependency] ?? 0) : 0;
	const clock = flags & 0x20 ? 2 : 0;
	const decoder = contentOf(stream.subarray(3 + dependency + url + clock), 4);
	const specific = decoder && contentOf(decoder.subarray(13), 5);
	return specific ? readConfiguration(specific) : {};
}
