import { hasProgram, runProgram } from '../audio/programs.mjs';
import { resample } from '../audio/resample.mjs';

const PROGRAM = 'espeak-ng';
const WORDS_PER_MINUTE = 165;

/** Languages that espeak-ng calls otherwise than ISO 639-1 does. */
const OTHER_NAMES = new Map([
	['no', 'nb'],
	['zh', 'cmn'],
]);

/** Of the languages that text/language.mjs can find, those that espeak-ng speaks. */
const SPOKEN = new Set(
	'ar bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko lt lv ml mr ms nb nl pa pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi cmn'.split(
		' ',
	),
);

/** @returns {Promise<boolean>} whether the machine has espeak-ng */
export function hasEspeak() {
	return hasProgram(PROGRAM, '--version');
}

/**
 * Speaks a text with espeak-ng.
 * @param {string} text goes in through standard input, never as an argument
 * @param {string} language ISO 639-1; English is spoken where espeak-ng has no such language
 * @param {number} pitch of the voice, from 0 (deep) to 1 (high)
 * @param {number} rate samples per second that are wanted
 * @returns {Promise<Int16Array>} mono
 * @throws {Error} where espeak-ng fails or says nothing
 */
export async function speakWithEspeak(text, language, pitch, rate) {
	const name = OTHER_NAMES.get(language) ?? language;
	const wav = await runProgram(
		PROGRAM,
		[
			...['--stdin', '--stdout', '-b', '1'],
			...['-v', SPOKEN.has(name) ? name : 'en'],
			...['-p', String(Math.round(5 + pitch * 90))],
			...['-s', String(WORDS_PER_MINUTE)],
		],
		Buffer.from(text),
	);
	const data = wav.indexOf('data', 12, 'latin1');
	if (data < 0) throw new Error(`${PROGRAM} gave no audio.`);
	// Written to a pipe, the header's length is not that of the audio: all that follows counts.
	const samples = new Int16Array(Math.floor((wav.length - data - 8) / 2));
	samples.forEach((_, index) => {
		samples[index] = wav.readInt16LE(data + 8 + index * 2);
	});
	if (samples.length === 0) throw new Error(`${PROGRAM} gave no audio.`);
	return resample(samples, wav.readUInt32LE(24), rate);
}
