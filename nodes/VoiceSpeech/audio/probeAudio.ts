import { readFlacConfig, streamInfoBytes } from './codecs';
import type { Format } from './format';
import { findIsobmffGap, probeIsobmff } from './headers/isobmff';
import { probeMp3 } from './headers/mp3';
import { findWavGap, probeWav } from './headers/wav';
import type { AudioGap, AudioProperties, AudioReader } from './reader';
import { computeContainerStart, findAudioStart } from './tags';

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
