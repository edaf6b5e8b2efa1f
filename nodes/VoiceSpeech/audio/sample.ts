import type { AudioProperties } from './reader';

/** Shortest sample without a finding, in seconds. This node chose it, as the service recommends about 10 seconds. */
const minSeconds = 5;

/** Longest sample without a finding, in seconds, also chosen by this node. */
const maxSeconds = 30;

/** Lowest sampling rate in Hz, as documented. */
const minSamplingRate = 16_000;

/** How a voice sample differs from what the service asks for. */
interface SampleFinding {
	text: string;
	/** Whether it is only a hint, and not a reason to refuse a sample. */
	isHint?: boolean;
}

/** Compares a sample with what the service asks for. Unknown properties give no finding. */
export function compareSample({
	seconds = minSeconds,
	samplingRate = minSamplingRate,
	channels = 1,
}: AudioProperties): SampleFinding[] {
	const findings: SampleFinding[] = [];
	if (seconds < minSeconds || seconds > maxSeconds) {
		const rounded = Math.round(seconds * 10) / 10;
		findings.push({ text: `It lasts ${rounded} seconds; about 10 are recommended.` });
	}
	if (samplingRate < minSamplingRate) {
		const text = `Its sampling rate is ${samplingRate} Hz; the service asks for 16000 Hz or higher.`;
		findings.push({ text });
	}
	if (channels > 1) {
		const text = `It has ${channels} channels: make sure that only one person speaks in it.`;
		findings.push({ text, isHint: true });
	}
	return findings;
}
