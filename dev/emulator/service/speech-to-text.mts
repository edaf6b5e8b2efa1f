import { createJsonResponse, type OperationHandler } from '../http/call.mts';
import { readRecording, type RecordingBody } from './recording.mts';

export const speechToText: OperationHandler<RecordingBody> = {
	credits: 2,
	rule: 'a WAV file of its own text to speech: the text in the metadata. Any other recording: a sentence that states what music-metadata measured within three seconds',
	read: readRecording,
	async perform(call, { recording, language }) {
		const note = recording.isOwn
			? "The text is from the file's metadata, where the emulator wrote it."
			: 'Nothing was recognized: the text only states what was measured.';
		const extraFields = { language, recording: recording.metadata, note };
		return createJsonResponse(call, { text: recording.text }, extraFields);
	},
};
