import { aacSamplingRates } from '../aacSamplingRates';
import type { AudioProperties, AudioReader } from '../reader';

// Names, layouts and section numbers are those of ISO/IEC 14496-12.

/** Offsets of a box's content in the file, in bytes. */
interface Box {
	start: number;
	end: number;
}

/** The boxes of this name inside another one (4.2), in order. */
async function* listBoxes(
	reader: AudioReader,
	name: string,
	{ start, end }: Box,
): AsyncGenerator<Box> {
	let offset = start;
	while (offset < end) {
		const header = await reader.peekAt(offset, 16);
		if (header.length < 8) return;
		let length = header.readUInt32BE(0);
		let headerLength = 8;
		if (length === 1 && header.length === 16) {
			length = Number(header.readBigUInt64BE(8));
			headerLength = 16;
		}
		// 0: to the end of the file.
		const next = length === 0 ? end : offset + length;
		if (next < offset + headerLength) return;
		if (header.toString('latin1', 4, 8) === name) {
			yield { start: offset + headerLength, end: Math.min(next, end) };
		}
		offset = next;
	}
}

/** Finds the first box by the names of the boxes around it and its own, e.g. `mdia/hdlr`. */
async function findBox(reader: AudioReader, path: string, within?: Box): Promise<Box | undefined> {
	let box = within;
	for (const name of path.split('/')) {
		if (box) box = (await listBoxes(reader, name, box).next()).value as Box | undefined;
	}
	return box;
}

/** The duration in seconds in `mdhd` (8.4.2) or `mvhd` (8.2.2), which have the same layout. */
async function readSeconds(reader: AudioReader, box: Box | undefined): Promise<number | undefined> {
	if (box === undefined) return undefined;
	const bytes = await reader.peekAt(box.start, Math.min(32, box.end - box.start));
	if (bytes.length < 20) return undefined;
	const isLong = bytes.length === 32 && bytes[0] === 1;
	const scale = bytes.readUInt32BE(isLong ? 20 : 12);
	const duration = isLong ? Number(bytes.readBigUInt64BE(24)) : bytes.readUInt32BE(16);
	// If all bits are set, the duration is unknown.
	const isKnown = scale > 0 && duration > 0 && duration < 0xffffffff;
	return isKnown ? duration / scale : undefined;
}

/** Finds the first track of sound, by its handler (8.4.3). */
async function findSound(reader: AudioReader, movie: Box): Promise<Box | undefined> {
	for await (const track of listBoxes(reader, 'trak', movie)) {
		const handler = await findBox(reader, 'mdia/hdlr', track);
		if (handler && (await reader.peekAt(handler.start + 8, 4)).toString() === 'soun') return track;
	}
	return undefined;
}

/** By channelConfiguration (ISO/IEC 14496-3, 1.6.3.5); 0: described elsewhere. */
const channelCounts = [undefined, 1, 2, 3, 4, 5, 6, 8];

/**
 * An `esds` box (ISO/IEC 14496-14, 5.6) in hexadecimal: descriptors inside each other (ISO/IEC 14496-1, 7.2.6), whose
 * lengths have up to four bytes, around an AudioSpecificConfig with its length and what may be an extension.
 */
const esdsContent =
	/^.{8}03(?:[89a-f].){0,3}.{6}0004(?:[89a-f].){0,3}.{28}05(?:[89a-f].){0,3}(..)(.{4})(.{6})?/;

/** Reads the AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) of plain AAC: what HE-AAC plays is often not declared. */
function readEsds(content: Buffer): AudioProperties {
	const [, length, config = '', extension] = esdsContent.exec(content.toString('hex')) ?? [];
	// 5 bits object type (2: plain AAC), 4 bits sampling rate, 4 bits channels.
	const bits = parseInt(config, 16);
	// An extension may declare HE-AAC; ffmpeg's denies it.
	const isPlain = bits >> 11 === 2 && (length === '02' || extension === '56e500');
	const samplingRate = aacSamplingRates[(bits >> 7) & 15];
	if (!isPlain || samplingRate === undefined) return {};
	return { samplingRate, channels: channelCounts[(bits >> 3) & 15] };
}

/** Channels and sampling rate of the first sample entry of `stsd` (8.5.2, 12.2.3). */
async function readSampleEntry(reader: AudioReader, { start, end }: Box): Promise<AudioProperties> {
	const offset = start + 8;
	const entry = await reader.peekAt(offset, 36);
	if (entry.length < 36) return {};
	const esds = await findBox(reader, 'esds', { start: offset + 36, end });
	// For AAC, many encoders write two channels into every entry, and for HE-AAC either of its two rates.
	if (esds) return readEsds(await reader.peekAt(esds.start, 64));
	return {
		channels: entry.readUInt16BE(24) || undefined,
		// The upper half of a fixed-point number, where a rate above 65,535 Hz does not fit.
		samplingRate: entry.readUInt16BE(32) || undefined,
	};
}

/** Tolerance in seconds. Encoders add up to two frames of AAC before the audio, which the edit list skips. */
const editTolerance = 0.3;

/** Whether no fragments continue a track of this duration (`mvex`, 8.8.1), and no edit list (8.6.6) changes it. */
async function isCompleteTrack(reader: AudioReader, movie: Box, seconds: number): Promise<boolean> {
	// The duration in `mehd` (8.8.2) is optional, and wrong if the recording ended early.
	if (await findBox(reader, 'mvex', movie)) return false;
	const played = await readSeconds(reader, await findBox(reader, 'mvhd', movie));
	return Math.abs((played ?? seconds) - seconds) <= editTolerance;
}

/** Reads the index (`moov`) of an M4A file, which is before or after the audio. */
export async function readMp4(reader: AudioReader): Promise<AudioProperties> {
	const entireFile = { start: 0, end: reader.size ?? Number.MAX_SAFE_INTEGER };
	const movie = await findBox(reader, 'moov', entireFile);
	if (movie === undefined) return {};
	const track = await findSound(reader, movie);
	const seconds = await readSeconds(reader, await findBox(reader, 'mdia/mdhd', track));
	const entries = await findBox(reader, 'mdia/minf/stbl/stsd', track);
	return {
		seconds: seconds && (await isCompleteTrack(reader, movie, seconds)) ? seconds : undefined,
		...(entries ? await readSampleEntry(reader, entries) : {}),
	};
}
