import type { FileView } from '../fileView';
import { readEsds } from './esds';
import { bytesOf, nameAt, type AudioProperties } from './header';

interface Box {
	/** Offsets of its content in the file, in bytes. */
	start: number;
	end: number;
}

/** Finds the first box of this name inside another one (ISO/IEC 14496-12, 4.2). */
async function findBox(
	file: FileView,
	name: string,
	{ start, end }: Box,
	accept: (box: Box) => Promise<boolean> = async () => true,
): Promise<Box | undefined> {
	let offset = start;
	while (offset < end) {
		const head = await file.at(offset, 16);
		if (head.byteLength < 8) return undefined;
		let length = head.getUint32(0);
		let headLength = 8;
		if (length === 1 && head.byteLength === 16) {
			length = Number(head.getBigUint64(8));
			headLength = 16;
		}
		// 0: to the end of the file.
		const next = length === 0 ? end : offset + length;
		if (next < offset + headLength) return undefined;
		const box = { start: offset + headLength, end: Math.min(next, end) };
		if (nameAt(head, 4) === name && (await accept(box))) return box;
		offset = next;
	}
	return undefined;
}

async function findPath(
	file: FileView,
	names: string[],
	within: Box | undefined,
): Promise<Box | undefined> {
	let box = within;
	for (const name of names) {
		if (box === undefined) return undefined;
		box = await findBox(file, name, box);
	}
	return box;
}

interface Times {
	scale?: number;
	seconds?: number;
}

/** Duration and time scale (in Hz) of a `mdhd` or `mvhd` box, which have the same layout. */
async function readTimes(file: FileView, box: Box): Promise<Times> {
	const view = await file.at(box.start, Math.min(32, box.end - box.start));
	if (view.byteLength < 20) return {};
	const isLong = view.byteLength === 32 && view.getUint8(0) === 1;
	const scale = view.getUint32(isLong ? 20 : 12);
	const duration = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
	const known = scale > 0 && duration > 0 && duration < 0xffffffff;
	return { scale, ...(known ? { seconds: duration / scale } : {}) };
}

async function isSound(file: FileView, track: Box): Promise<boolean> {
	const handler = await findPath(file, ['mdia', 'hdlr'], track);
	return handler !== undefined && nameAt(await file.at(handler.start, 12), 8) === 'soun';
}

/** In bytes: `esds` of real files has about 50; a crafted one could be megabytes that are read bit by bit. */
const maxEsdsBytes = 1024;

/** Channels and sampling rate of the first entry of `stsd`. */
async function readEntry(file: FileView, { start, end }: Box): Promise<AudioProperties> {
	const offset = start + 8;
	const entry = await file.at(offset, 36);
	if (entry.byteLength < 36) return {};
	const channels = entry.getUint16(24);
	const samplingRate = entry.getUint32(32) >>> 16;
	const esds = await findBox(file, 'esds', { start: offset + 36, end });
	const esdsLength = esds ? Math.min(maxEsdsBytes, esds.end - esds.start) : 0;
	return {
		...(channels > 0 ? { channels } : {}),
		...(samplingRate > 0 ? { samplingRate } : {}),
		...(esds ? readEsds(bytesOf(await file.at(esds.start, esdsLength))) : {}),
	};
}

/** In seconds: encoders add up to two frames of AAC in front of the audio, which the edit list skips. */
const editTolerance = 0.3;

/** The duration of a track, unless fragments continue it or an edit list changes it. */
async function readSeconds(
	file: FileView,
	movie: Box,
	{ seconds }: Times,
): Promise<number | undefined> {
	// The duration in `mehd` is optional, and wrong if the recording ended early.
	const isFragmented = (await findBox(file, 'mvex', movie)) !== undefined;
	if (isFragmented || seconds === undefined) return undefined;
	const header = await findBox(file, 'mvhd', movie);
	const { seconds: played = seconds } = header ? await readTimes(file, header) : {};
	return Math.abs(played - seconds) <= editTolerance ? seconds : undefined;
}

/** Reads the index of an M4A file, which is in front of or behind the audio. */
export async function readMp4(file: FileView): Promise<AudioProperties> {
	const whole = { start: 0, end: file.fileSize ?? Number.MAX_SAFE_INTEGER };
	const movie = await findBox(file, 'moov', whole);
	if (movie === undefined) return {};
	const track = await findBox(file, 'trak', movie, async (box) => await isSound(file, box));
	const media = await findPath(file, ['mdia', 'mdhd'], track);
	const entries = await findPath(file, ['mdia', 'minf', 'stbl', 'stsd'], track);
	const times = media ? await readTimes(file, media) : {};
	const { scale = 0 } = times;
	const seconds = await readSeconds(file, movie, times);
	const entry = entries ? await readEntry(file, entries) : {};
	return {
		...(seconds !== undefined ? { seconds } : {}),
		// The entry has 16 bits for the rate: only the time scale can hold a higher one.
		...(scale > 0xffff ? { samplingRate: scale } : {}),
		...entry,
	};
}
