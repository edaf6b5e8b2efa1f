import type { Measures } from './headers/header';

/** The documented recommendations for a voice sample (interface document, Limits), with room around the 10 seconds. */
const shortest = 5;
const longest = 30;
const lowestRate = 16_000;

/** What a voice sample lacks. */
export interface SampleFinding {
	text: string;
	/** A hint alone: nothing to refuse a sample for. */
	isHint?: boolean;
}

function rounded(seconds: number): string {
	return String(Math.round(seconds * 10) / 10);
}

/** Holds a sample's measures against the recommendations; what is not known is not held against it. */
export function sampleFindings({
	seconds = shortest,
	samplingRate = lowestRate,
	channels = 1,
}: Measures): SampleFinding[] {
	const findings: SampleFinding[] = [];
	if (seconds < shortest || seconds > longest) {
		findings.push({ text: `It lasts ${rounded(seconds)} seconds; about 10 are recommended.` });
	}
	if (samplingRate < lowestRate) {
		findings.push({
			text: `Its sampling rate is ${samplingRate} Hz; 16000 Hz or more are recommended.`,
		});
	}
	if (channels > 1) {
		findings.push({
			text: `It has ${channels} channels: make sure that only one person speaks in it.`,
			isHint: true,
		});
	}
	return findings;
}
