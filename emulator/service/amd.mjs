import { jsonAnswer } from '../gateway/call.mjs';
import { countWords } from '../text/sentences.mjs';
import { readEither, recordingFacts } from './either-input.mjs';

const MACHINE_WORDS =
	/\b(?:voicemail|voice mail|answering machine|leave (?:a|your) message|after the (?:tone|beep)|(?:not|un)available|can(?:not|'t) (?:take|come to)|press (?:one|two|\d))\b/gi;
/** People answer the phone in fewer words, and sooner, than machines do. */
const MOST_WORDS_OF_A_PERSON = 20;
const MOST_SECONDS_OF_A_PERSON = 6;

/**
 * POST /ai/amd. All of it is the emulator's own choice: a machine speaks of messages and tones, or
 * for long: in words, or in seconds where the recording is not the emulator's own.
 * @type {import('../gateway/call.mjs').Service<import('./either-input.mjs').EitherInput>}
 */
export const amd = {
	read: readEither,
	async perform(_call, input) {
		const matches = (input.text.match(MACHINE_WORDS) ?? []).map((match) => match.toLowerCase());
		const words = countWords(input.text);
		const unheard = input.recording !== undefined && !input.recording.own;
		const long = unheard
			? (input.recording?.seconds ?? 0) > MOST_SECONDS_OF_A_PERSON
			: words > MOST_WORDS_OF_A_PERSON;
		const machine = matches.length > 0 || long;
		return jsonAnswer(
			{
				result: machine ? 'machine' : 'human',
				confidence: matches.length > 0 ? 0.95 : 0.6,
				matches,
				words,
				text: input.text,
				...recordingFacts(input),
			},
			`Phrases of answering machines, more than ${MOST_WORDS_OF_A_PERSON} words, or more than ${MOST_SECONDS_OF_A_PERSON} seconds of an unknown recording mean a machine.`,
		);
	},
};
