// Creates the handlers of the operations whose requests and responses are not documented. All of it is the emulator's
// choice: they take a recording or a text, and return what simple rules find in it.
import { createJsonResponse, type Call, type OperationHandler } from '../http/call.mts';
import { readLanguage, requireText } from '../http/fields.mts';
import { readJsonBody } from '../http/jsonBody.mts';
import { readRecording, type Recording } from './recording.mts';

interface Input {
	/** The text of the request, or the transcript of the recording. */
	text: string;
	language?: string;
	recording?: Recording;
}

/**
 * @param credits what a call costs by default
 * @param rule which fields the response has, and how the emulator finds them, for its README
 */
export function createUndocumentedHandler(
	credits: number,
	rule: string,
	respond: (input: Input) => object,
): OperationHandler<Input> {
	return {
		credits,
		rule,
		read: readInput,
		async perform(call, input) {
			const extraFields = { text: input.text, note: rule, recording: input.recording?.metadata };
			return createJsonResponse(call, respond(input), extraFields);
		},
	};
}

/** @throws {Refusal} as readRecording and readJsonBody */
async function readInput(call: Call): Promise<Input> {
	const { undocumentedPayload, maxTextCharacters } = call.settings;
	const sent = call.request.isMultipart() ? 'audio' : 'text';
	const payload = undocumentedPayload === 'either' ? sent : undocumentedPayload;
	if (payload === 'audio') {
		const { recording, language } = await readRecording(call);
		return { text: recording.text, language, recording };
	}
	const body = await readJsonBody(call);
	return {
		text: requireText(body.text, 'text', maxTextCharacters),
		language: readLanguage(body.language),
	};
}
