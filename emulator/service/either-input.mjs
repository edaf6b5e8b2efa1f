import { readLanguage, requireText } from '../gateway/fields.mjs';
import { readJsonBody } from '../gateway/json-body.mjs';
import { Refusal } from '../gateway/refusal.mjs';
import { readRecording } from './recording.mjs';

/**
 * @typedef {object} EitherInput
 * @property {string} text the text that was sent, or what the recording "says"
 * @property {string | undefined} language
 * @property {import('./recording.mjs').Recording | undefined} recording
 */

/**
 * Reads the body of an operation whose payload the interface document does not show. The
 * emulator's own choice: a recording as for speech to text, or JSON with `text` and, if wanted,
 * `language`; a setting allows only one of them.
 * @param {import('../gateway/call.mjs').Call} call
 * @returns {Promise<EitherInput>}
 * @throws {Refusal} as readRecording and readJsonBody do
 */
export async function readEither(call) {
	const { undocumentedPayload, maxTextCharacters } = call.state.settings;
	const audio = call.request.isMultipart();
	if (undocumentedPayload !== 'either' && audio !== (undocumentedPayload === 'audio')) {
		throw new Refusal(
			'unsupportedFormat',
			undocumentedPayload === 'audio'
				? 'Send a recording as multipart/form-data.'
				: 'Send the text as application/json.',
			'Content-Type',
		);
	}
	if (audio) {
		const { recording, language } = await readRecording(call);
		return { text: recording.text, language, recording };
	}
	const body = await readJsonBody(call);
	return {
		text: requireText(body.text, 'text', maxTextCharacters),
		language: readLanguage(body.language, false),
		recording: undefined,
	};
}

/**
 * What an answer tells about the recording it is about.
 * @param {EitherInput} input
 * @returns {{recording?: object}}
 */
export function recordingFacts({ recording }) {
	return recording ? { recording: recording.facts } : {};
}
