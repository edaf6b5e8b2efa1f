/** Sampling rates of AAC in Hz, by samplingFrequencyIndex (ISO/IEC 14496-3, 1.6.3.4). */
export const aacSamplingRates = [
	96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
	7350,
];

/** By channelConfiguration (ISO/IEC 14496-3, 1.6.3.5). With 0, the stream describes them. */
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

/** Object types of HE-AAC, which name a second rate and the type that they extend (SBR, PS). */
const extendingTypes = [5, 29];

/** What an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) starts with. */
interface AacConfig {
	/** Audio object type. */
	type: number;
	/** Of the coded audio, in Hz. HE-AAC plays twice as many samples. */
	samplingRate: number | undefined;
	channels: number | undefined;
	/** Samples of the coded audio in each packet. */
	packetSamples: number;
	/** Whether what is played certainly has this rate and these channels, which HE-AAC changes. */
	isPlain: boolean;
}

/** Reads numbers of any count of bits; zeros after the end. */
class BitReader {
	private position = 0;

	constructor(private readonly bytes: Buffer) {}

	read(count: number): number {
		let value = 0;
		for (let bit = 0; bit < count; bit++) {
			const byte = this.bytes[this.position >> 3] ?? 0;
			value = 2 * value + ((byte >> (7 - (this.position & 7))) & 1);
			this.position++;
		}
		return value;
	}
}

/** Reads an audio object type. Types above 30 are escaped. */
function readType(bits: BitReader): number {
	const type = bits.read(5);
	return type === 31 ? 32 + bits.read(6) : type;
}

/** Reads a sampling rate in Hz, by its index or as a number; undefined for a reserved index. */
function readRate(bits: BitReader): number | undefined {
	const index = bits.read(4);
	return index === 15 ? bits.read(24) : aacSamplingRates[index];
}

/** Object type of AAC without extensions (AAC LC). */
const plainType = 2;

/** The extension with which ffmpeg denies that AAC is HE-AAC (1.6.2.1, syncExtensionType). */
const deniedExtension = Buffer.from('56e500', 'hex');

/** Whether nothing that could declare HE-AAC follows the two bytes of a plain configuration. */
function isWithoutExtension(config: Buffer): boolean {
	const extension = config.subarray(2);
	return extension.length === 0 || extension.equals(deniedExtension);
}

/** Reads the start of an AudioSpecificConfig; zeros replace what is cut off. */
export function readAacConfig(config: Buffer): AacConfig {
	const bits = new BitReader(config);
	const type = readType(bits);
	const samplingRate = readRate(bits);
	const channels = channelCounts[bits.read(4)];
	if (extendingTypes.includes(type)) {
		readRate(bits);
		readType(bits);
	}
	const hasShortPackets = bits.read(1) === 1;
	return {
		type,
		samplingRate: samplingRate || undefined,
		channels,
		packetSamples: hasShortPackets ? 960 : 1024,
		isPlain: type === plainType && isWithoutExtension(config),
	};
}

/** Length of ALAC's magic cookie in bytes, without an optional layout of the channels. */
export const alacCookieBytes = 24;

/** What ALAC's magic cookie contains (Apple, ALACMagicCookieDescription.txt). */
interface AlacConfig {
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/** Samples in each packet but the last. */
	packetSamples: number;
}

/** @param cookie at least {@link alacCookieBytes} */
export function readAlacConfig(cookie: Buffer): AlacConfig {
	return {
		samplingRate: cookie.readUInt32BE(20),
		channels: cookie[9]!,
		packetSamples: cookie.readUInt32BE(0),
	};
}
