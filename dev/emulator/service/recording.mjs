import { recogniseFormat } from '../audio/format.mjs';
import { measure } from '../audio/measure.mjs';
import { readLanguage } from '../http/fields.mjs';
import { readMultipart } from '../http/multipart.mjs';
import { Refusal } from '../http/refusal.mjs';

/**
 * @typedef {object} Recording
 * @property {string} text its make-believe transcript
 * @property {boolean} isOwn whether the emulator's text to speech made it
 * @property {object} facts what was measured, for the extra field `recording`
 * @property {number} [seconds]
 */

/**
 * Reads an uploaded recording and makes up a transcript.
 * @param {import('../http/call.mjs').Call} call
 * @returns {Promise<{recording: Recording, fields: Map<string, string>, language?: string}>}
 * @throws {Refusal} as readMultipart, and unsupportedFormat for other formats than the documented
 */
export async function readRecording(call) {
	const { file, fields } = await readMultipart(call);
	const language = readLanguage(fields.get('language'));
	const format = await recogniseFormat(file.path);
	if (!format) {
		throw new Refusal(
			'unsupportedFormat',
			'The file is not WAV, MP3, M4A or FLAC: its first bytes decide.',
		);
	}
	const { ownText, ...measures } = await measure(file.path, file.bytes);
	const { seconds, sampleRate, channels } = measures;
	return {
		recording: {
			text: ownText ?? describe(format, measures),
			isOwn: ownText !== undefined,
			facts: {
				name: file.name,
				bytes: file.bytes,
				sha256: file.sha256,
				format,
				seconds: seconds ?? null,
				sample_rate: sampleRate ?? null,
				channels: channels ?? null,
			},
			seconds,
		},
		fields,
		language,
	};
}

/**
 * @param {import('../audio/format.mjs').AudioFormat} format
 * @param {import('../audio/measure.mjs').Measures} measures
 * @returns {string} one sentence
 */
function describe(format, { seconds, sampleRate, channels }) {
	return `Make-believe transcript: a ${format} recording, ${seconds ?? '?'} seconds long, with a sampling rate of ${sampleRate ?? '?'} Hz and ${channels ?? '?'} channel${channels === 1 ? '' : 's'}.`;
}
