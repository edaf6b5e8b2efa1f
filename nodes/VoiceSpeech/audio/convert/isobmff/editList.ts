import type { SoundTrack } from '../../mp4/movie';
import type { CopiedTrack } from '../track';

/** An entry of an edit list (ISO/IEC 14496-12, 8.6.6). */
interface Edit {
	/** In ticks of the movie; 0 if a recorder that writes fragments did not know it. */
	duration: number;
	/** In ticks of the track. It is -1 where nothing is played, so that the track starts later than the film. */
	start: number;
}

/** @param list content of `elst` */
function* listEdits(list: Buffer): Generator<Edit> {
	if (list.length < 8) return;
	const hasLongTimes = list[0] === 1;
	const entryBytes = hasLongTimes ? 20 : 12;
	const count = Math.min(list.readUInt32BE(4), Math.floor((list.length - 8) / entryBytes));
	for (let entry = 0; entry < count; entry++) {
		const offset = 8 + entry * entryBytes;
		if (hasLongTimes) {
			const duration = Number(list.readBigUInt64BE(offset));
			yield { duration, start: Number(list.readBigInt64BE(offset + 8)) };
		} else {
			yield { duration: list.readUInt32BE(offset), start: list.readInt32BE(offset + 4) };
		}
	}
}

/**
 * Finds what an edit list plays, from the start of its first part to the end of the last.
 *
 * @param movieTimescale ticks of the movie per second
 * @param total duration of all packets in ticks of the track
 * @returns in ticks of the track; undefined if it plays everything
 */
export function findPlayedPart(
	{ edits, timescale }: SoundTrack,
	movieTimescale: number,
	total: number,
): CopiedTrack['edit'] {
	if (edits === undefined || movieTimescale === 0) return undefined;
	let first: number | undefined;
	let end = 0;
	for (const { duration, start } of listEdits(edits)) {
		if (start < 0) continue;
		first ??= start;
		const played = duration === 0 ? Infinity : Math.round((duration * timescale) / movieTimescale);
		end = Math.max(end, start + played);
	}
	if (first === undefined || first >= total) return undefined;
	return { skip: first, length: Math.min(end, total) - first };
}
