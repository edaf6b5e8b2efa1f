import { readEsds } from './esds';
import { bytesOf, nameAt, type Beginning, type Measures } from './header';

interface Box {
	/** Where its content begins and ends in the file, in bytes. */
	start: number;
	end: number;
}

/** Finds the next box of a name between two places (ISO/IEC 14496-12, 4.2). */
async function findBox(
	file: Beginning,
	name: string,
	{ start, end }: Box,
	accept: (box: Box) => Promise<boolean> = async () => true,
): Promise<Box | undefined> {
	let place = start;
	while (place < end) {
		const head = await file.at(place, 16);
		if (head.byteLength < 8) return undefined;
		let length = head.getUint32(0);
		let headLength = 8;
		if (length === 1 && head.byteLength === 16) {
			length = Number(head.getBigUint64(8));
			headLength = 16;
		}
		// 0: to the end of the file.
		const next = length === 0 ? end : place + length;
		if (next < place + headLength) return undefined;
		const box = { start: place + headLength, end: Math.min(next, end) };
		if (nameAt(head, 4) === name && (await accept(box))) return box;
		place = next;
	}
	return undefined;
}

async function findPath(
	file: Beginning,
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

/** Seconds of a `mdhd` box, and its time scale. */
async function readTimes(file: Beginning, box: Box): Promise<{ scale?: number; seconds?: number }> {
	const view = await file.at(box.start, 32);
	if (view.byteLength < 20) return {};
	const isLong = view.byteLength === 32 && view.getUint8(0) === 1;
	const scale = view.getUint32(isLong ? 20 : 12);
	const duration = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
	const known = scale > 0 && duration > 0 && duration < 0xffffffff;
	return { scale, ...(known ? { seconds: duration / scale } : {}) };
}

async function isSound(file: Beginning, track: Box): Promise<boolean> {
	const handler = await findPath(file, ['mdia', 'hdlr'], track);
	return handler !== undefined && nameAt(await file.at(handler.start, 12), 8) === 'soun';
}

/** Channels and sampling rate of the first entry of `stsd`. */
async function readEntry(file: Beginning, { start, end }: Box): Promise<Measures> {
	const place = start + 8;
	const entry = await file.at(place, 36);
	if (entry.byteLength < 36) return {};
	const channels = entry.getUint16(24);
	const samplingRate = entry.getUint32(32) >>> 16;
	const esds = await findBox(file, 'esds', { start: place + 36, end });
	return {
		...(channels > 0 ? { channels } : {}),
		...(samplingRate > 0 ? { samplingRate } : {}),
		...(esds ? readEsds(bytesOf(await file.at(esds.start, esds.end - esds.start))) : {}),
	};
}

/**
 * Reads the index of an M4A file, wherever it stands: at the beginning, or behind the audio.
 */
export async function readMp4(file: Beginning): Promise<Measures> {
	const whole = { start: 0, end: file.fileSize ?? Number.MAX_SAFE_INTEGER };
	const movie = await findBox(file, 'moov', whole);
	if (movie === undefined) return {};
	const track = await findBox(file, 'trak', movie, async (box) => await isSound(file, box));
	const media = await findPath(file, ['mdia', 'mdhd'], track);
	const entries = await findPath(file, ['mdia', 'minf', 'stbl', 'stsd'], track);
	const { scale = 0, seconds } = media ? await readTimes(file, media) : {};
	const entry = entries ? await readEntry(file, entries) : {};
	return {
		...(seconds !== undefined ? { seconds } : {}),
		// The entry has 16 bits for the rate: a higher one stands as the time scale only.
		...(scale > 0xffff ? { samplingRate: scale } : {}),
		...entry,
	};
}
