import { jsonResponse } from '../http/call.mts';
import { readRecording } from './recording.mts';
import type { Service } from '../http/call.mts';

/** POST /ai/speech-to-text. */
export const speechToText: Service<Awaited<ReturnType<typeof readRecording>>> = {
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
