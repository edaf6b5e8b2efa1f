import { writeWav } from '../../../dev/emulator/audio/wav.mts';
import { speakInTones, toneSamplingRate } from '../../../dev/emulator/speech/tones.mts';

/** A recording that says something no other one says. */
export type Recording = { name: string; text: string; bytes: Buffer };

/**
 * @param run name of the run, letters and digits
 * @returns made by the emulator's own speech, so that its speech to text knows the text
 */
export function createRecording(run: string, number: number): Recording {
	const text = `Recording ${number} of run ${run}.`;
	const pitch = (number % 10) / 10;
	const bytes = writeWav(speakInTones(text, pitch), toneSamplingRate, text);
	return { name: `${run}-${number}.wav`, text, bytes };
}

/**
 * @param content of a call, or of a file
 * @returns which recording it is about, like `run-17`; empty if about none
 */
export function findRecording(content: string): string {
	const [, number, run] = /Recording (\d+) of run (\w+)\./.exec(content) ?? [];
	return run ? `${run}-${number}` : '';
}
