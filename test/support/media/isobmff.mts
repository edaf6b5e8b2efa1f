/* Boxes of MP4 (ISO/IEC 14496-12), as Buffers. */
import {
	createDescriptor,
	encodeUint16 as u16,
	encodeUint32 as u32,
} from '../../../nodes/VoiceSpeech/audio/convert/encodeBoxes.ts';

export { u16, u32 };

export function createBox(name: string, ...content: Array<Buffer | string>): Buffer {
	const inside = Buffer.concat(
		content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
	);
	return Buffer.concat([u32(inside.length + 8), Buffer.from(name, 'latin1'), inside]);
}

/** A box whose length takes 64 bits. */
export function createLongBox(name: string, content: Buffer): Buffer {
	return Buffer.concat([u32(1), Buffer.from(name), u32(0, content.length + 16), content]);
}

export interface EsdsOptions {
	/** 0x40: MPEG-4 audio. */
	objectType?: number;
	/** Flags of the stream, and the fields that they add. */
	flags?: number;
	optional?: number[];
}

/** An `esds` box (ISO/IEC 14496-14, 5.6) with this AudioSpecificConfig. */
export function createEsds(config: number[], options: EsdsOptions = {}): Buffer {
	const { objectType = 0x40, flags = 0, optional = [] } = options;
	const fields = Buffer.alloc(13, 1).fill(objectType, 0, 1);
	const decoder = createDescriptor(4, [fields, createDescriptor(5, [Buffer.from(config)])]);
	const stream = Buffer.from([0, 1, flags, ...optional]);
	return createBox('esds', u32(0), createDescriptor(3, [stream, decoder]));
}

/** Content of `mdhd` or `mvhd` with 32-bit times. */
export function createTimes(scale: number, duration: number): Buffer {
	return Buffer.concat([u32(0, 0, 0, scale, duration), Buffer.alloc(4)]);
}

/** Content of `mdhd` or `mvhd` with 64-bit times. */
export function createLongTimes(scale: number, duration: bigint): Buffer {
	const bytes = Buffer.alloc(36);
	bytes[0] = 1;
	bytes.writeUInt32BE(scale, 20);
	bytes.writeBigUInt64BE(duration, 24);
	return bytes;
}
