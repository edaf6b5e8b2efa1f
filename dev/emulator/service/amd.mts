import { countWords } from '../text/sentences.mts';
import { createUndocumentedService } from './undocumented.mts';

const machinePhrase =
	/\b(?:voicemail|voice mail|answering machine|leave (?:a|your) message|after the (?:tone|beep)|(?:not|un)available|can(?:not|'t) (?:take|come to)|press (?:one|two|\d))\b/gi;
/** A person who takes a call uses fewer words, or less time. */
const maxWordsOfAPerson = 20;
const maxSecondsOfAPerson = 6;

/** POST /ai/amd. */
export const amd = createUndocumentedService(
	1,
	'`result`, `confidence`, `matches`, `words`: `machine` for phrases about voicemail, messages, tones or not being available, for more than 20 words, or, if the recording is not its own, for more than 6 seconds; otherwise `human`',
	({ text, recording }) => {
		const matches = (text.match(machinePhrase) ?? []).map((match) => match.toLowerCase());
		const words = countWords(text);
		const isLong =
			recording && !recording.isOwn
				? (recording.seconds ?? 0) > maxSecondsOfAPerson
				: words > maxWordsOfAPerson;
		const isMachine = matches.length > 0 || isLong;
		return {
			result: isMachine ? 'machine' : 'human',
			confidence: matches.length > 0 ? 0.95 : 0.6,
			matches,
			words,
		};
	},
);
