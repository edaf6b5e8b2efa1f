import { scanIsobmff } from '../../../nodes/VoiceSpeech/audio/convert/isobmff/scanIsobmff.ts';
import type { CopiedTrack } from '../../../nodes/VoiceSpeech/audio/convert/track.ts';
import { collect, createReader, readObstacle, scanBytes } from './conversion.mts';
import { aacConfig, packets, sizes } from './movies.mts';

/** The track of a video, after checking that a second reading returns its packets. */
export async function scanMovieFile(
	file: Buffer,
	expected = packets,
	chunkBytes?: number,
): Promise<CopiedTrack> {
	const track = (await scanBytes(scanIsobmff, file, chunkBytes)) as CopiedTrack;
	expect(await collect(track.readPackets(createReader(file, chunkBytes)))).toEqual(expected);
	return track;
}

/** Why the audio of a video is not copied. */
export async function readMovieFileObstacle(file: Buffer): Promise<unknown> {
	return await readObstacle(scanBytes(scanIsobmff, file));
}

export const damaged = { kind: 'damaged' };

/** The track of a video with {@link packets}, as the scan describes it. */
export const describedTrack = {
	codec: 'aac',
	config: Buffer.from(aacConfig),
	samplingRate: 44_100,
	channels: 2,
	timescale: 44_100,
	sizes: Uint32Array.from(sizes),
	durations: Uint32Array.of(7, 1024),
	playedParts: undefined,
};
