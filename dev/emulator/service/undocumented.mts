/**
 * The six operations whose requests and responses are not documented. All of it is the emulator's
 * choice: they take a recording or a text, and return what simple rules find in it.
 */
import { randomUUID } from 'node:crypto';
import { jsonResponse } from '../http/call.mts';
import { readLanguage, requireText } from '../http/fields.mts';
import { readJsonBody } from '../http/json-body.mts';
import { Refusal } from '../http/refusal.mts';
import { recogniseIntent } from '../text/intent.mts';
import { detectLanguage } from '../text/language.mts';
import { countWords, sentencesOf } from '../text/sentences.mts';
import { judgeSentiment } from '../text/sentiment.mts';
import { readRecording } from './recording.mts';
import type { Recording } from './recording.mts';
import type { Call, Service } from '../http/call.mts';

const ACTION = /\b(?:please|will|shall|must|need to|have to|let me|call back|send|email)\b/i;
const MACHINE_PHRASE =
	/\b(?:voicemail|voice mail|answering machine|leave (?:a|your) message|after the (?:tone|beep)|(?:not|un)available|can(?:not|'t) (?:take|come to)|press (?:one|two|\d))\b/gi;
/** A person who takes a call uses fewer words, or less time. */
const MAX_WORDS_OF_A_PERSON = 20;
const MAX_SECONDS_OF_A_PERSON = 6;

interface Input {
	/** the text of the request, or the transcript of the recording */
	text: string;
	language?: string;
	recording?: Recording;
}

export const undocumented = {
	transcriptions: service(
		'The language is found in the text by the library eld.',
		async (input) => ({
			id: `tr_${randomUUID()}`,
			status: 'completed',
			language: await languageOf(input),
			text: input.text,
		}),
	),
	'language-detection': service('Found in the text by the library eld.', detectLanguage),
	sentiment: service('Judged by an English word list (AFINN).', judgeSentiment),
	intent: service('Found by a few English words for each intent.', recogniseIntent),
	'post-call-analytics': service('Counted, or found by words.', async (input) => {
		const sentences = sentencesOf(input.text);
		const judged = judgeSentiment(input);
		return {
			summary: sentences[0],
			language: await languageOf(input),
			sentiment: judged.sentiment,
			sentiment_score: judged.score,
			intent: recogniseIntent(input).intent,
			action_items: sentences.filter((sentence) => ACTION.test(sentence)),
			questions: sentences.filter((sentence) => /[?？]$/u.test(sentence)).length,
			words: countWords(input.text),
			sentences: sentences.length,
			duration_seconds: input.recording?.seconds ?? null,
		};
	}),
	amd: service('Found by phrases, or by the length.', ({ text, recording }) => {
		const matches = (text.match(MACHINE_PHRASE) ?? []).map((match) => match.toLowerCase());
		const words = countWords(text);
		const isLong =
			recording && !recording.isOwn
				? (recording.seconds ?? 0) > MAX_SECONDS_OF_A_PERSON
				: words > MAX_WORDS_OF_A_PERSON;
		const result = matches.length > 0 || isLong ? 'machine' : 'human';
		return { result, confidence: matches.length > 0 ? 0.95 : 0.6, matches, words };
	}),
};

/** @param note how the emulator finds the result */
function service(
	note: string,
	resultOf: (input: Input) => object | Promise<object>,
): Service<Input> {
	return {
		read: readInput,
		async perform({ state }, input) {
			const { text, recording } = input;
			const extraFields = { text, note, ...(recording && { recording: recording.facts }) };
			return jsonResponse(state, await resultOf(input), extraFields);
		},
	};
}

/** @throws {Refusal} as readRecording and readJsonBody */
async function readInput(call: Call): Promise<Input> {
	const { undocumentedPayload, maxTextCharacters } = call.state.settings;
	const isAudio = call.request.isMultipart();
	if (undocumentedPayload === (isAudio ? 'text' : 'audio')) {
		throw new Refusal(
			'unsupportedFormat',
			isAudio ? 'Send the text as application/json.' : 'Send a recording as multipart/form-data.',
		);
	}
	if (isAudio) {
		const { recording, language } = await readRecording(call);
		return { text: recording.text, language, recording };
	}
	const body = await readJsonBody(call);
	return {
		text: requireText(body.text, 'text', maxTextCharacters),
		language: readLanguage(body.language),
	};
}

async function languageOf({ language, text }: Input) {
	return language ?? (await detectLanguage({ text })).language;
}
