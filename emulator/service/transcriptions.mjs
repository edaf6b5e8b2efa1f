import { randomUUID } from 'node:crypto';
import { jsonAnswer } from '../gateway/call.mjs';
import { detectLanguage } from '../text/language.mjs';
import { sentencesOf } from '../text/sentences.mjs';
import { readEither, recordingFacts } from './either-input.mjs';

const SECONDS_PER_CHARACTER = 0.07;

/**
 * POST /ai/transcriptions. All of it is the emulator's own choice: the sentences of the text, over
 * the length of the recording in proportion to their lengths.
 * @type {import('../gateway/call.mjs').Service<import('./either-input.mjs').EitherInput>}
 */
export const transcriptions = {
	read: readEither,
	async perform(_call, input) {
		const language = input.language ?? (await detectLanguage(input.text)).language;
		const total = input.recording?.seconds ?? input.text.length * SECONDS_PER_CHARACTER;
		return jsonAnswer(
			{
				id: `tr_${randomUUID()}`,
				status: 'completed',
				language,
				text: input.text,
				segments: segment(input.text, total),
				...recordingFacts(input),
			},
			'Times are shared out among the sentences by their lengths.',
		);
	},
};

/**
 * @param {string} text
 * @param {number} total seconds
 * @returns {{start: number, end: number, text: string}[]} times in seconds
 */
function segment(text, total) {
	const sentences = sentencesOf(text);
	const characters = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
	let before = 0;
	return sentences.map((sentence) => {
		const start = round((total * before) / characters);
		before += sentence.length;
		return { start, end: round((total * before) / characters), text: sentence };
	});
}

/** @param {number} seconds */
function round(seconds) {
	return Math.round(seconds * 100) / 100;
}
