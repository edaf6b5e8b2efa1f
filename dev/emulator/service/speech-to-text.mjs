import { jsonResponse } from '../http/call.mjs';
import { readRecording } from './recording.mjs';

/**
 * POST /ai/speech-to-text.
 * @type {import('../http/call.mjs').Service<Awaited<ReturnType<typeof readRecording>>>}
 */
export const speechToText = {
	read: readRecording,
	async perform({ state }, { recording, language }) {
		return jsonResponse(
			state,
			{ text: recording.text },
			{
				...(language && { language }),
				recording: recording.facts,
				note: recording.isOwn
					? "The text is from the file's metadata, where the emulator wrote it."
					: 'Nothing was recognised: the text only states what was measured.',
			},
		);
	},
};
