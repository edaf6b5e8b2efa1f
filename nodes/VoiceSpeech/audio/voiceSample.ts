import {
	maxVoiceSampleSeconds,
	minSamplingRate,
	minVoiceSampleSeconds,
	recommendedVoiceSampleSeconds,
} from '../limits';
import { formatSeconds } from '../text/formatSeconds';
import type { Format } from './format';
import { readMp3 } from './headers/mp3';
import { readIsobmff } from './headers/isobmff';
import { readWav } from './headers/wav';
import type { AudioProperties, AudioReader } from './reader';
import { findAudio } from './tags';

/** Reads STREAMINFO, always the first metadata block of a FLAC file (RFC 9639, 8.2), from the offset of `fLaC`. */
async function readFlac(reader: AudioReader, start: number): Promise<AudioProperties> {
	// After `fLaC` and the header of the block, of four bytes each.
	const block = await reader.peekAt(start + 8, 18);
	if (block.length < 18) return {};
	// 20 bits sampling rate, 3 bits channels less one, 5 bits sample size, 36 bits number of samples (0: unknown).
	const packed = block.readBigUInt64BE(10);
	const samplingRate = Number(packed >> 44n);
	const channels = Number((packed >> 41n) & 7n) + 1;
	const samples = Number(packed & 0xfffffffffn);
	if (samplingRate === 0) return {};
	return { samplingRate, channels, seconds: samples > 0 ? samples / samplingRate : undefined };
}

/** Reads what the header specifies for certain; nothing for formats that the service does not document. */
export async function probeAudio(
	reader: AudioReader,
	format: Format | undefined,
): Promise<AudioProperties> {
	// Tags may be in front of the header.
	const start = (await findAudio(reader)) ?? 0;
	switch (format?.name) {
		case 'WAV':
			return await readWav(reader, start);
		case 'MP3':
			return await readMp3(reader, start);
		case 'M4A':
			return await readIsobmff(reader, start);
		case 'FLAC':
			return await readFlac(reader, start);
		default:
			return {};
	}
}

/** How a voice sample differs from what the service asks for. */
interface VoiceSampleFinding {
	text: string;
	/** Whether it is only a hint, and not a reason to refuse a sample. */
	isHint?: boolean;
}

/** Compares a sample with what the service asks for. Unknown properties give no finding. */
export function compareVoiceSample({
	seconds = minVoiceSampleSeconds,
	samplingRate = minSamplingRate,
	channels = 1,
}: AudioProperties): VoiceSampleFinding[] {
	const findings: VoiceSampleFinding[] = [];
	if (seconds < minVoiceSampleSeconds || seconds > maxVoiceSampleSeconds) {
		const duration = formatSeconds(Math.round(seconds * 10) / 10);
		const text = `It lasts ${duration}; about ${recommendedVoiceSampleSeconds} are recommended.`;
		findings.push({ text });
	}
	if (samplingRate < minSamplingRate) {
		const text = `Its sampling rate is ${samplingRate} Hz; the service asks for ${minSamplingRate} Hz or higher.`;
		findings.push({ text });
	}
	if (channels > 1) {
		const text = `It has ${channels} channels: make sure that only one person speaks in it.`;
		findings.push({ text, isHint: true });
	}
	return findings;
}
