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

/** Length of FLAC's STREAMINFO in bytes. */
export const streamInfoBytes = 34;

/** What FLAC's STREAMINFO contains (RFC 9639, 8.2). */
interface FlacConfig {
	/** In Hz. */
	samplingRate: number;
	channels: number;
	/** Samples of each channel; 0 if unknown. */
	samples: number;
}

/** @param streamInfo of {@link streamInfoBytes} */
export function readFlacConfig(streamInfo: Buffer): FlacConfig {
	// 20 bits sampling rate, 3 bits channels less one, 5 bits sample size, 36 bits number of samples.
	const packed = streamInfo.readBigUInt64BE(10);
	return {
		samplingRate: Number(packed >> 44n),
		channels: Number((packed >> 41n) & 7n) + 1,
		samples: Number(packed & 0xfffffffffn),
	};
}

/** Audio object types of the AAC family (ISO/IEC 14496-3, table 1.17). */
const aacTypes = [1, 2, 3, 4, 5, 6, 17, 19, 20, 22, 23, 29, 39, 42];

/** Other audio object types (ISO/IEC 14496-3, table 1.17). */
const otherTypeNames: Record<number, string> = {
	7: 'TwinVQ',
	8: 'CELP',
	9: 'HVXC',
	21: 'TwinVQ',
	24: 'CELP',
	25: 'HVXC',
	32: 'MP1',
	33: 'MP2',
	34: 'MP3',
	35: 'DST',
	36: 'ALS',
	37: 'SLS',
	38: 'SLS',
};

/** The usual name of an audio object type; undefined for AAC. */
export function findOtherTypeName(type: number): string | undefined {
	if (aacTypes.includes(type)) return undefined;
	return otherTypeNames[type] ?? `MPEG-4 audio of type ${type}`;
}

/** Usual names by the format tag of a WAVEFORMATEX (RFC 2361, Microsoft's mmreg.h). */
const waveFormatNames: Record<number, string> = {
	0x01: 'PCM',
	0x02: 'Microsoft ADPCM',
	0x03: 'PCM',
	0x05: 'CVSD',
	0x06: 'G.711',
	0x07: 'G.711',
	0x08: 'DTS',
	0x0a: 'WMA',
	0x10: 'OKI ADPCM',
	0x11: 'IMA ADPCM',
	0x14: 'G.723 ADPCM',
	0x17: 'OKI ADPCM',
	0x20: 'Yamaha ADPCM',
	0x22: 'TrueSpeech',
	0x31: 'GSM',
	0x32: 'GSM',
	0x40: 'G.721',
	0x41: 'G.728',
	0x42: 'G.723.1',
	0x45: 'G.726',
	0x50: 'MP2',
	0x55: 'MP3',
	0x57: 'AMR',
	0x58: 'AMR-WB',
	0x61: 'IMA ADPCM',
	0x62: 'IMA ADPCM',
	0x64: 'G.726',
	0x65: 'G.722',
	0x69: 'IMA ADPCM',
	0x75: 'VoxWare',
	0x83: 'G.729',
	0x85: 'G.726',
	0x86: 'GSM',
	0x92: 'AC-3',
	0xff: 'AAC in an old form',
	0x111: 'G.723.1',
	0x130: 'ACELP',
	0x131: 'ACELP',
	0x132: 'ACELP',
	0x133: 'G.729',
	0x134: 'G.729',
	0x160: 'WMA',
	0x161: 'WMA',
	0x162: 'WMA',
	0x163: 'WMA',
	0x200: 'Creative ADPCM',
	0x270: 'ATRAC3',
	0x28f: 'G.722',
	0x401: 'IMC',
	0x402: 'IAC',
	0x500: 'On2 AVC',
	0x501: 'On2 AVC',
	0x674f: 'Vorbis',
	0x6750: 'Vorbis',
	0x6751: 'Vorbis',
	0x676f: 'Vorbis',
	0x6770: 'Vorbis',
	0x6771: 'Vorbis',
	0x704f: 'Opus in an unusual form',
	0x706d: 'AAC in an old form',
	0x77a1: 'TTA',
	0x1500: 'GSM',
	0x1501: 'TrueSpeech',
	0x1600: 'AAC in an old form',
	0x1602: 'AAC in an old form',
	0x1610: 'AAC in an old form',
	0x2000: 'AC-3',
	0x2001: 'DTS',
	0x2002: 'RealAudio',
	0x2003: 'RealAudio',
	0x2004: 'RealAudio',
	0x2005: 'RealAudio',
	0x5346: 'Flash ADPCM',
	0x5756: 'WavPack',
	0x6c75: 'G.711',
	0x7a21: 'AMR',
	0x7a22: 'AMR',
	0xa100: 'G.723.1',
	0xa106: 'AAC in an old form',
	0xa109: 'Speex',
	0xf1ac: 'FLAC',
};

/** WAVE_FORMAT_EXTENSIBLE (Microsoft's mmreg.h). The subformat, in byte 24, starts with the tag. */
const extensibleTag = 0xfffe;

/**
 * The usual name of the codec that a format tag stands for.
 *
 * @returns a description of the tag if it is unknown
 */
export function nameWaveFormat(tag: number): string {
	return waveFormatNames[tag] ?? `of the WAVE format 0x${tag.toString(16).padStart(4, '0')}`;
}

/** The format tag of a WAVEFORMATEX of at least two bytes, or that of its subformat. */
export function readWaveFormatTag(format: Buffer): number {
	const tag = format.readUInt16LE(0);
	const isExtensible = tag === extensibleTag && format.length >= 26;
	return isExtensible ? format.readUInt16LE(24) : tag;
}

/** The usual name of the codec that a WAVEFORMATEX describes; undefined if it is cut off. */
export function findWaveFormatName(format: Buffer): string | undefined {
	return format.length < 2 ? undefined : nameWaveFormat(readWaveFormatTag(format));
}
