import { createUndocumentedHandler } from './undocumented.mts';

const machinePhrase =
	/\b(?:voicemail|voice mail|answering machine|leave (?:a|your) message|after the (?:tone|beep)|(?:not|un)available|can(?:not|'t) (?:take|come to)|press (?:one|two|\d))\b/i;
/** A person who answers a call speaks for a shorter time. */
const maxSecondsOfAPerson = 6;

export const amd = createUndocumentedHandler(
	1,
	'`result`: `machine` for phrases about voicemail, messages, tones or not being available, or, if the recording is not its own, for more than 6 seconds; otherwise `human`',
	({ text, recording }) => {
		const seconds = recording?.metadata.seconds ?? 0;
		const isLong = recording?.isOwn === false && seconds > maxSecondsOfAPerson;
		return { result: isLong || machinePhrase.test(text) ? 'machine' : 'human' };
	},
);
