/** In Hz, by samplingFrequencyIndex (ISO/IEC 14496-3, 1.6.3.4). */
export const samplingRates = [
	96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
	7350,
];

/** By channelConfiguration (ISO/IEC 14496-3, 1.6.3.5); 0: described in the stream. */
const channelCounts = [
	undefined,
	1,
	2,
	3,
	4,
	5,
	6,
	8,
	undefined,
	undefined,
	undefined,
	7,
	8,
	24,
	8,
];

/** What an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) starts with. */
export interface AacConfig {
	/** Audio object type. */
	type: number;
	/** Of the coded audio, in Hz: HE-AAC plays twice as many samples. */
	samplingRate: number | undefined;
	channels: number | undefined;
}

/** Reads numbers of any count of bits; zeros after the end. */
class BitReader {
	private position = 0;

	constructor(private readonly bytes: Buffer) {}

	take(count: number): number {
		let value = 0;
		for (let bit = 0; bit < count; bit++) {
			const byte = this.bytes[this.position >> 3] ?? 0;
			value = 2 * value + ((byte >> (7 - (this.position & 7))) & 1);
			this.position++;
		}
		return value;
	}
}

export function readAacConfig(config: Buffer): AacConfig {
	const bits = new BitReader(config);
	let type = bits.take(5);
	// Types above 30 are escaped.
	if (type === 31) type = 32 + bits.take(6);
	const index = bits.take(4);
	const samplingRate = index === 15 ? bits.take(24) : samplingRates[index];
	return { type, samplingRate: samplingRate || undefined, channels: channelCounts[bits.take(4)] };
}
