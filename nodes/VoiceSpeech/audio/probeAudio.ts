import { findObstacle } from '../errors/audioError';
import { rethrow } from '../errors/bases';
import { readFlacConfig, streamInfoBytes, readAacConfig } from './codecs';
import type { Format } from './format';
import { probeMp3 } from './headers/frames';
import { findWavGap, probeWav } from './headers/wav';
import { walkBoxes } from './isobmff/boxes';
import { readMovie, type Movie } from './isobmff/movie';
import type { TrackCodec } from './isobmff/sampleEntry';
import type { AudioGap, AudioProperties, AudioReader } from './reader';
import { computeContainerStart, findAudioStart } from './tags';

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
async function probeIsobmff(reader: AudioReader, start: number): Promise<AudioProperties> {
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
async function findIsobmffGap(reader: AudioReader, start: number): Promise<AudioGap> {
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

/** Reads STREAMINFO, always the first metadata block of a FLAC file (RFC 9639, 8.2), from the offset of `fLaC`. */
async function probeFlac(reader: AudioReader, start: number): Promise<AudioProperties> {
	// After `fLaC` and the header of the block, of four bytes each.
	const streamInfo = await reader.peekAt(start + 8, streamInfoBytes);
	if (streamInfo.length < streamInfoBytes) return {};
	const { samplingRate, channels, samples } = readFlacConfig(streamInfo);
	if (samplingRate === 0) return {};
	return { samplingRate, channels, seconds: samples > 0 ? samples / samplingRate : undefined };
}

/** Reads what the header specifies for certain; nothing for formats that the service does not document. */
export async function probeAudio(
	reader: AudioReader,
	format: Format | undefined,
): Promise<AudioProperties> {
	// Tags may be in front of the header.
	const start = (await findAudioStart(reader)) ?? 0;
	switch (format?.name) {
		case 'WAV':
			return await probeWav(reader, start);
		case 'MP3':
			return await probeMp3(reader, start);
		case 'M4A':
			return await probeIsobmff(reader, start);
		case 'FLAC':
			return await probeFlac(reader, start);
		default:
			return {};
	}
}

/** Finds out whether audio is missing that the header of a WAV or MP4 file specifies. */
export async function findAudioGap(
	reader: AudioReader,
	format: Format | undefined,
): Promise<AudioGap> {
	const start = (await findAudioStart(reader)) ?? 0;
	switch (format?.name) {
		case 'WAV':
			return await findWavGap(reader, start);
		case 'M4A':
		case 'QuickTime':
			return await findIsobmffGap(reader, computeContainerStart(reader.buffered));
		default:
			return 'none';
	}
}
