import { formatSeconds } from '../errors/quote';
import { maxVoiceSampleSeconds, minVoiceSampleSeconds } from '../limits';
import { minVoiceSampleRate, recommendedVoiceSampleSeconds } from '../service/endpoint';
import type { AudioProperties } from './reader';

/** How a voice sample differs from what the service asks for. */
interface VoiceSampleFinding {
	text: string;
	/** Whether it is only a hint, and not a reason to reject a sample. */
	isHint?: boolean;
}

/** Compares a sample with what the service asks for. Unknown properties give no finding. */
export function compareVoiceSample({
	seconds = minVoiceSampleSeconds,
	samplingRate = minVoiceSampleRate,
	channels = 1,
}: AudioProperties): VoiceSampleFinding[] {
	const findings: VoiceSampleFinding[] = [];
	// Rounded first, so that a sample of 30.04 s is not said to last 30 seconds, which are allowed.
	const rounded = Math.round(seconds * 10) / 10;
	if (rounded < minVoiceSampleSeconds || rounded > maxVoiceSampleSeconds) {
		const text = `It lasts ${formatSeconds(rounded)}; about ${recommendedVoiceSampleSeconds} are recommended.`;
		findings.push({ text });
	}
	if (samplingRate < minVoiceSampleRate) {
		const text = `Its sampling rate is ${samplingRate} Hz; the service asks for ${minVoiceSampleRate} Hz or higher.`;
		findings.push({ text });
	}
	if (channels > 1) {
		const text = `It has ${channels} channels: make sure that only one person speaks in it.`;
		findings.push({ text, isHint: true });
	}
	return findings;
}
