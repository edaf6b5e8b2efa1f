import type { AudioProperties } from '../reader';

/** In Hz, by samplingFrequencyIndex (ISO/IEC 14496-3, 1.6.3.4). */
const samplingRates = [
	96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
	7350,
];

/** By channelConfiguration (ISO/IEC 14496-3, 1.6.3.5); 0: described elsewhere. */
const channelCounts = [undefined, 1, 2, 3, 4, 5, 6, 8];

/** Audio object types (ISO/IEC 14496-3, 1.5.1.1): AAC, HE-AAC (twice the sampling rate) and HE-AAC v2 (stereo). */
const [aac, heAac, heAacV2] = [2, 5, 29];

/** Sync words of the extensions that declare AAC as HE-AAC, or as HE-AAC v2 (ISO/IEC 14496-3, 1.6.2.1). */
const [heAacExtension, heAacV2Extension] = [0x2b7, 0x548];

/** Tags of the descriptors that are inside each other (ISO/IEC 14496-1, 7.2.2.1). */
const tags = { elementaryStream: 3, decoderConfig: 4, decoderSpecificInfo: 5 };

/** @returns a function that reads the next number of this width in bits; NaN if fewer bits are left */
function bitReader(bytes: Buffer): (width: number) => number {
	const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
	let offset = 0;
	return (width) => {
		const start = offset;
		offset += width;
		return offset > bits.length ? NaN : parseInt(bits.slice(start, offset), 2);
	};
}

/** Reads an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), which is right where the sample entry is not. */
function readConfiguration(bytes: Buffer): AudioProperties {
	const readBits = bitReader(bytes);
	const readRate = () => {
		const index = readBits(4);
		return index === 15 ? readBits(24) || undefined : samplingRates[index];
	};
	const type = readBits(5);
	// A type above 31 is in the next six bits, and none of those below.
	if (type === 31) readBits(6);
	let samplingRate = readRate();
	let channels = channelCounts[readBits(4)];
	if (type === heAac || type === heAacV2) samplingRate = readRate();
	if (type === heAacV2) channels = 2;
	// Three flags, all off, are in front of an extension.
	const isExtended = type === aac && readBits(3) === 0 && readBits(11) === heAacExtension;
	if (isExtended && readBits(5) === heAac && readBits(1) === 1) {
		samplingRate = readRate();
		if (readBits(11) === heAacV2Extension && readBits(1) === 1) channels = 2;
	}
	return { channels, samplingRate };
}

/** The content of a descriptor (ISO/IEC 14496-1, 8.3.3), whose length takes up to four bytes of seven bits. */
function contentOf(bytes: Buffer, tag: number): Buffer | undefined {
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
 * Reads the content of an `esds` box (ISO/IEC 14496-14, 5.6): descriptors (ISO/IEC 14496-1, 7.2.6) inside each other.
 *
 * @returns sampling rate and channels: the sample entry often says two channels, regardless of the audio
 */
export function readEsds(content: Buffer): AudioProperties {
	// Behind version and flags.
	const stream = contentOf(content.subarray(4), tags.elementaryStream);
	if (stream === undefined) return {};
	const flags = stream[2] ?? 0;
	// Optional fields, each with a flag.
	const dependency = flags & 0x80 ? 2 : 0;
	const url = flags & 0x40 ? 1 + (stream[3 + dependency] ?? 0) : 0;
	const clock = flags & 0x20 ? 2 : 0;
	const config = contentOf(stream.subarray(3 + dependency + url + clock), tags.decoderConfig);
	const specific = config && contentOf(config.subarray(13), tags.decoderSpecificInfo);
	return specific ? readConfiguration(specific) : {};
}
