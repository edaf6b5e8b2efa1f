import { parseFile } from 'music-metadata';
import { truncate } from 'node:fs/promises';
import { ownSoftware } from './wav.mts';

/** The length of a larger file without an index is estimated, not counted frame by frame. */
const maxBytesToCount = 20 * 1024 * 1024;
const timeoutMs = 3_000;

/** Undefined where the file does not specify them. */
export interface Measures {
	/** To two decimals. */
	seconds?: number;
	/** Hz */
	sampleRate?: number;
	channels?: number;
	/** The text in the metadata, if the emulator's text to speech made the file. */
	ownText?: string;
}

/**
 * Measures a recording, and empties the file after three seconds: that ends the parser, which would
 * take minutes for a file with garbage after its audio.
 * @param path of a file that is not needed any more
 * @param bytes its size
 */
export async function measure(path: string, bytes: number): Promise<Measures> {
	const timer = setTimeout(() => void truncate(path).catch(() => {}), timeoutMs);
	try {
		const { format, native } = await parseFile(path, {
			skipCovers: true,
			duration: bytes <= maxBytesToCount,
		});
		const tags = new Map(native.exif?.map(({ id, value }) => [id, String(value)]));
		return {
			seconds: format.duration && Math.round(format.duration * 100) / 100,
			sampleRate: format.sampleRate,
			channels: format.numberOfChannels,
			...(tags.get('ISFT') === ownSoftware && { ownText: JSON.parse(tags.get('ICMT') ?? '""') }),
		};
	} catch {
		return {};
	} finally {
		clearTimeout(timer);
	}
}
