import { recogniseFormat } from '../audio/format.mjs';
import { measure } from '../audio/measure.mjs';
import { readOwnText } from '../audio/own-text.mjs';
import { readLanguage } from '../gateway/fields.mjs';
import { readMultipart } from '../gateway/multipart.mjs';
import { Refusal } from '../gateway/refusal.mjs';

/**
 * @typedef {object} Recording
 * @property {string} text what it "says"
 * @property {boolean} own whether the emulator's own text to speech made it
 * @property {object} facts what was measured, as answers show it
 * @property {number | undefined} seconds
 */

/**
 * Reads an uploaded recording and makes up what it says. The parts are those of the interface
 * document; how the text comes about is the emulator's own choice.
 * @param {import('../gateway/call.mjs').Call} call
 * @returns {Promise<{recording: Recording, fields: Map<string, string>,
 *   language: string | undefined}>}
 * @throws {Refusal} as readMultipart does, and unsupportedFormat for anything but WAV, MP3, M4A
 *   and FLAC
 */
export async function readRecording(call) {
	const { file, fields } = await readMultipart(call);
	const language = readLanguage(fields.get('language'), false);
	const format = await recogniseFormat(file.path);
	if (!format) {
		throw new Refusal(
			'unsupportedFormat',
			'The file is none of WAV, MP3, M4A and FLAC by its first bytes.',
			'file',
		);
	}
	const ownText = format === 'WAV' ? await readOwnText(file.path) : undefined;
	const measures = await measure(file.path, file.bytes);
	const seconds = measures?.seconds === undefined ? undefined : round(measures.seconds);
	return {
		recording: {
			text: ownText ?? describe(format, measures),
			own: ownText !== undefined,
			facts: {
				name: file.name,
				bytes: file.bytes,
				sha256: file.sha256,
				format,
				seconds: seconds ?? null,
				sample_rate: measures?.sampleRate ?? null,
				channels: measures?.channels ?? null,
			},
			seconds,
		},
		fields,
		language,
	};
}

/**
 * @param {import('../audio/format.mjs').AudioFormat} format
 * @param {import('../audio/measure.mjs').Measures | undefined} measures
 * @returns {string} one sentence
 */
function describe(format, measures) {
	const { seconds, sampleRate, channels } = measures ?? {};
	const length = seconds === undefined ? 'of unknown length' : `${round(seconds)} seconds long`;
	const rate =
		sampleRate === undefined ? 'an unknown sampling rate' : `a sampling rate of ${sampleRate} Hz`;
	const tracks =
		channels === undefined
			? 'an unknown number of channels'
			: `${channels} channel${channels === 1 ? '' : 's'}`;
	return `Make-believe transcript: a ${format} recording, ${length}, with ${rate} and ${tracks}.`;
}

/** @param {number} seconds @returns {number} to the hundredth */
function round(seconds) {
	return Math.round(seconds * 100) / 100;
}
