import type { Measures } from './header';

/** By the index in the configuration (ISO/IEC 14496-3, 1.6.3.4). */
const samplingRates = [
	96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
	7350,
];

/** By the channel configuration; 0 stands for one that is described elsewhere. */
const channelCounts = [undefined, 1, 2, 3, 4, 5, 6, 8];

/** AAC with a band replicated at twice the rate (HE-AAC), and with stereo described beside one channel (v2). */
const withSbr = 5;
const withParametricStereo = 29;

/** Reads numbers of any width, one after the other. */
class Bits {
	private readonly bits: string;

	private place = 0;

	constructor(bytes: Uint8Array) {
		this.bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
	}

	/** NaN where the bits end too early. */
	take(width: number): number {
		const bits = this.bits.slice(this.place, this.place + width);
		this.place += width;
		return bits.length < width ? NaN : parseInt(bits, 2);
	}
}

function samplingRateOf(bits: Bits): number | undefined {
	const index = bits.take(4);
	return index === 15 ? bits.take(24) || undefined : samplingRates[index];
}

/** Reads AAC's own configuration (AudioSpecificConfig), which is right where the box around it is not. */
function readConfiguration(bytes: Uint8Array): Measures {
	const bits = new Bits(bytes);
	const type = bits.take(5);
	// A type beyond 31 stands in the next six bits, and is none of those below.
	if (type === 31) bits.take(6);
	let samplingRate = samplingRateOf(bits);
	let channels = channelCounts[bits.take(4)];
	if (type === withSbr || type === withParametricStereo) samplingRate = samplingRateOf(bits);
	if (type === withParametricStereo) channels = 2;
	return {
		...(channels === undefined ? {} : { channels }),
		...(samplingRate === undefined ? {} : { samplingRate }),
	};
}

/** Finds the content of the descriptor that begins here (ISO/IEC 14496-1, 8.3.3); its length takes up to four bytes. */
function contentOf(bytes: Uint8Array, tag: number): Uint8Array | undefined {
	if (bytes[0] !== tag) return undefined;
	let length = 0;
	for (let place = 1; place <= 4; place++) {
		const byte = bytes[place] ?? 0;
		length = length * 128 + (byte & 127);
		if (byte < 128) return bytes.subarray(place + 1, place + 1 + length);
	}
	return undefined;
}

/**
 * Reads an `esds` box of MP4.
 *
 * @param bytes its content
 * @returns what it tells: the sample entry around it often says two channels, whatever there are
 */
export function readEsds(bytes: Uint8Array): Measures {
	const stream = contentOf(bytes.subarray(4), 3);
	if (stream === undefined) return {};
	const flags = stream[2] ?? 0;
	// Fields that only stand there where a flag says so.
	const dependency = flags & 0x80 ? 2 : 0;
	const url = flags & 0x40 ? 1 + (stream[3 + dependency] ?? 0) : 0;
	const clock = flags & 0x20 ? 2 : 0;
	const decoder = contentOf(stream.subarray(3 + dependency + url + clock), 4);
	const specific = decoder && contentOf(decoder.subarray(13), 5);
	return specific ? readConfiguration(specific) : {};
}
