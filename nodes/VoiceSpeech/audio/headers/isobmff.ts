import { readAacConfig } from '../codecs';
import { findObstacle } from '../conversionError';
import { rethrow } from '../../errors/bases';
import { walkBoxes } from '../isobmff/boxes';
import { readMovie, type Movie } from '../isobmff/movie';
import type { TrackCodec } from '../isobmff/sampleEntry';
import type { AudioGap, AudioProperties, AudioReader } from '../reader';

/** Finds the content of the index (`moov`) of a file, which is before or after the audio. */
async function findMovieBox(reader: AudioReader, fileStart: number): Promise<Buffer | undefined> {
	for await (const { name, contentStart, contentLength } of walkBoxes(reader, fileStart)) {
		if (name === 'moov') return await reader.peekAt(contentStart, contentLength);
	}
	return undefined;
}

/** Tolerance in seconds. Encoders add up to two frames of AAC before the audio, which the edit list skips. */
const editTolerance = 0.3;

/** The duration of the audio track; undefined if fragments continue it, or if an edit list changes it. */
function findSeconds({ audioTrack, seconds: played, fragmentDefaults }: Movie): number | undefined {
	const seconds = audioTrack?.seconds;
	if (seconds === undefined || fragmentDefaults !== undefined) return undefined;
	const isEdited = Math.abs((played ?? seconds) - seconds) > editTolerance;
	return isEdited ? undefined : seconds;
}

/** Sampling rate and channels that are played. */
function describeCodec(codec: TrackCodec | undefined): AudioProperties {
	if (codec?.kind !== 'known') return {};
	if (codec.name !== 'aac') {
		return { samplingRate: codec.samplingRate, channels: codec.channels };
	}
	const { isPlain, samplingRate, channels } = readAacConfig(codec.config);
	return isPlain ? { samplingRate, channels } : {};
}

/**
 * Reads the index of an M4A file. What may be wrong is undefined.
 *
 * @param start offset of the first box in bytes
 */
export async function probeIsobmff(reader: AudioReader, start: number): Promise<AudioProperties> {
	const movieBox = await findMovieBox(reader, start);
	if (movieBox === undefined) return {};
	try {
		const movie = readMovie(movieBox);
		return { seconds: findSeconds(movie), ...describeCodec(movie.audioTrack?.codec) };
	} catch (error) {
		if (findObstacle(error) !== undefined) return {};
		return rethrow(error);
	}
}

/**
 * Compares the boxes up to the audio (`mdat`) with the length of the file.
 *
 * @param start offset of the first box in bytes
 */
export async function findIsobmffGap(reader: AudioReader, start: number): Promise<AudioGap> {
	if (reader.size === undefined) return 'none';
	for await (const { name, contentStart, contentLength } of walkBoxes(reader, start)) {
		const end = contentStart + contentLength;
		// A box up to the end of the file specifies no length.
		if (!/^[ -~]{4}$/.test(name) || end === Infinity) return 'none';
		if (end > reader.size) return 'end';
		if (name === 'mdat') return 'none';
	}
	return 'none';
}
