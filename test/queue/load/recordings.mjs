import { SAMPLE_RATE, writeWav } from '../../../dev/emulator/audio/wav.mjs';
import { speakInTones } from '../../../dev/emulator/speech/tones.mjs';

/**
 * A recording that says something no other one says.
 * @typedef {{name: string, text: string, bytes: Buffer}} Recording
 */

/**
 * @param {string} run name of the run, letters and digits
 * @param {number} number
 * @returns {Recording} made by the emulator's own speech, so that its speech to text knows the text
 */
export function makeRecording(run, number) {
	const text = `Recording ${number} of run ${run}.`;
	const pitch = (number % 10) / 10;
	const bytes = writeWav(speakInTones(text, pitch, SAMPLE_RATE), text);
	return { name: `${run}-${number}.wav`, text, bytes };
}

/**
 * @param {string} content of a call, or of a file
 * @returns {string} which recording it is about, like `run-17`; empty if about none
 */
export function recordingIn(content) {
	const [, number, run] = /Recording (\d+) of run (\w+)\./.exec(content) ?? [];
	return run ? `${run}-${number}` : '';
}
