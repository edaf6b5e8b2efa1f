import {
	alacCookieBytes,
	findOtherTypeName,
	nameWaveFormat,
	readAacConfig,
	readAlacConfig,
} from '../codecs';
import { listBoxes, findBox } from './boxes';

// Names, layouts and section numbers without a source are those of ISO/IEC 14496-12.

/** What the sample entry (8.5.2) of an audio track describes. */
export type TrackCodec =
	| {
			kind: 'known';
			name: 'aac' | 'alac' | 'opus';
			/** AudioSpecificConfig, ALAC's magic cookie, or an identification header of Opus. */
			config: Buffer;
			/** In Hz. */
			samplingRate: number;
			channels: number;
	  }
	/** `name` is its usual name. */
	| { kind: 'notConverted'; name: string }
	/** Should be AAC, ALAC or Opus, but its description is damaged. */
	| { kind: 'damaged' };

const damaged: TrackCodec = { kind: 'damaged' };

/** By the name of the sample entry (mp4ra.org, Apple's QuickTime File Format Specification). */
export const codecNames: Record<string, string> = {
	enca: 'encrypted',
	drms: 'encrypted',
	samr: 'AMR',
	sawb: 'AMR-WB',
	sawp: 'AMR-WB+',
	'ac-3': 'AC-3',
	sac3: 'AC-3',
	'AC-3': 'AC-3',
	'ec-3': 'E-AC-3',
	'EC-3': 'E-AC-3',
	'ac-4': 'AC-4',
	dtsc: 'DTS',
	dtsh: 'DTS',
	dtsl: 'DTS',
	dtse: 'DTS',
	dtsx: 'DTS:X',
	dtsy: 'DTS:X',
	'dts+': 'DTS',
	'dts-': 'DTS',
	'.mp1': 'MP1',
	'.mp2': 'MP2',
	'.mp3': 'MP3',
	'Mp3 ': 'MP3',
	fLaC: 'FLAC',
	mlpa: 'TrueHD',
	mlix: 'TrueHD',
	mha1: 'MPEG-H Audio',
	mha2: 'MPEG-H Audio',
	mhm1: 'MPEG-H Audio',
	mhm2: 'MPEG-H Audio',
	iamf: 'IAMF',
	apac: 'APAC',
	sqcp: 'QCELP',
	Qclp: 'QCELP',
	sevc: 'EVRC',
	secb: 'EVRC-B',
	secn: 'EVRC-NW',
	secw: 'EVRC-WB',
	sevs: 'EVS',
	ssmv: 'SMV',
	spex: 'Speex',
	SPXN: 'Speex',
	ilbc: 'iLBC',
	nmos: 'Nellymoser',
	NELL: 'Nellymoser',
	ulaw: 'G.711',
	alaw: 'G.711',
	g719: 'G.719',
	g726: 'G.726',
	agsm: 'GSM',
	ima4: 'IMA ADPCM',
	MAC3: 'MACE',
	MAC6: 'MACE',
	QDMC: 'QDesign Music',
	QDM2: 'QDesign Music',
	WMA2: 'WMA',
	OggV: 'Vorbis',
	vdva: 'PCM',
	dvca: 'PCM',
	'raw ': 'PCM',
	NONE: 'PCM',
	twos: 'PCM',
	sowt: 'PCM',
	lpcm: 'PCM',
	ipcm: 'PCM',
	fpcm: 'PCM',
	in24: 'PCM',
	in32: 'PCM',
	fl32: 'PCM',
	fl64: 'PCM',
};

/** By objectTypeIndication (ISO/IEC 14496-1, table 5; mp4ra.org); AAC is not in here. */
const objectTypeNames: Record<number, string> = {
	0x69: 'MP3',
	0x6a: 'MP2',
	0x6b: 'MP3',
	0xa5: 'AC-3',
	0xa6: 'E-AC-3',
	0xa9: 'DTS',
	0xaa: 'DTS',
	0xab: 'DTS',
	0xac: 'DTS',
	0xad: 'Opus in an unusual form',
	0xae: 'AC-4',
	0xa0: 'EVRC',
	0xa1: 'SMV',
	0xc1: 'FLAC',
	0xdd: 'Vorbis',
	0xe1: 'QCELP',
};

/** MPEG-4 audio, and the three profiles of MPEG-2 AAC. */
const aacObjectTypes = [0x40, 0x66, 0x67, 0x68];

/** Content of the first descriptor (ISO/IEC 14496-1, 8.3.3) if it has this tag; its length has up to four bytes. */
function readDescriptor(bytes: Buffer, tag: number): Buffer | undefined {
	if (bytes[0] !== tag) return undefined;
	let length = 0;
	for (let offset = 1; offset <= 4; offset++) {
		const byte = bytes[offset] ?? 0;
		length = length * 128 + (byte & 127);
		if (byte < 128) return bytes.subarray(offset + 1, offset + 1 + length);
	}
	return undefined;
}

/** DecoderConfigDescriptor in an `esds` box (ISO/IEC 14496-14, 5.6). */
function findDecoderConfig(esds: Buffer): Buffer | undefined {
	const stream = readDescriptor(esds.subarray(4), 3);
	if (stream === undefined) return undefined;
	const flags = stream[2] ?? 0;
	let offset = 3;
	// Optional fields, by the flags: the ID of another stream, a URL, the ID of a clock.
	if (flags & 0x80) offset += 2;
	if (flags & 0x40) offset += 1 + (stream[offset] ?? 0);
	if (flags & 0x20) offset += 2;
	return readDescriptor(stream.subarray(offset), 4);
}

function readAac(esds: Buffer | undefined, entryChannels: number): TrackCodec {
	const decoder = esds && findDecoderConfig(esds);
	const objectType = decoder?.[0];
	if (decoder === undefined || objectType === undefined) return damaged;
	const name = objectTypeNames[objectType];
	if (name !== undefined) return { kind: 'notConverted', name };
	const config = readDescriptor(decoder.subarray(13), 5);
	if (!aacObjectTypes.includes(objectType) || config === undefined || config.length < 2) {
		return damaged;
	}
	const { type, samplingRate, channels } = readAacConfig(config);
	const otherName = findOtherTypeName(type);
	if (otherName !== undefined) return { kind: 'notConverted', name: otherName };
	if (samplingRate === undefined) return damaged;
	return { kind: 'known', name: 'aac', config, samplingRate, channels: channels ?? entryChannels };
}

function readAlac(box: Buffer | undefined): TrackCodec {
	// After version and flags.
	const config = box?.subarray(4);
	if (config === undefined || config.length < alacCookieBytes) return damaged;
	const { samplingRate, channels } = readAlacConfig(config);
	return { kind: 'known', name: 'alac', config, samplingRate, channels };
}

/** Makes an identification header (RFC 7845, 5.1) of a `dOps` box (Encapsulation of Opus in ISO BMFF, 4.3.2). */
function readOpus(box: Buffer | undefined): TrackCodec {
	if (box === undefined || box.length < 11) return damaged;
	const config = Buffer.concat([Buffer.from('OpusHead'), box]);
	config[8] = 1;
	// The same fields, with the other order of bytes.
	config.subarray(10, 12).swap16();
	config.subarray(12, 16).swap32();
	config.subarray(16, 18).swap16();
	return { kind: 'known', name: 'opus', config, samplingRate: 48_000, channels: box[1]! };
}

/** The codec of an entry that QuickTime names `ms` and the format tag of a WAVEFORMATEX; undefined for another name. */
function findMicrosoftName(entryName: string): string | undefined {
	if (!entryName.startsWith('ms')) return undefined;
	const tag = Buffer.from(entryName, 'latin1').readUInt16BE(2);
	// A name of four letters is not a tag.
	return tag < 0x2061 ? nameWaveFormat(tag) : undefined;
}

/** Length of an entry in bytes up to the boxes in it. QuickTime has two versions that are longer (12.2.3). */
function getEntryLength(descriptionVersion: number, entryVersion: number): number {
	if (descriptionVersion > 0) return 28;
	if (entryVersion === 1) return 44;
	return entryVersion === 2 ? 64 : 28;
}

/**
 * Reads the first entry of `stsd` (8.5.2) of a track of audio.
 *
 * @throws {ConversionError} if it contains too many boxes
 */
export function readTrackCodec(description: Buffer): TrackCodec {
	const [entry] = listBoxes(description.subarray(8));
	if (entry === undefined || entry.content.length < 28) return damaged;
	const { name: entryName, content } = entry;
	const inner = content.subarray(getEntryLength(description[0]!, content.readUInt16BE(8)));
	// QuickTime has these boxes in a box of their own.
	const find = (box: string) => findBox(inner, box) ?? findBox(inner, `wave/${box}`);
	if (entryName === 'mp4a') return readAac(find('esds'), content.readUInt16BE(16));
	if (entryName === 'alac') return readAlac(find('alac'));
	if (entryName === 'Opus') return readOpus(find('dOps'));
	const name = codecNames[entryName] ?? findMicrosoftName(entryName);
	if (name !== undefined) return { kind: 'notConverted', name };
	const isReadable = /^[\w.-][\w .-]{3}$/.test(entryName);
	return isReadable ? { kind: 'notConverted', name: entryName.trim() } : damaged;
}
