import { undocumented } from '../undocumented';

/** Transcriptions (docs/openapi.yaml). */
export const createTranscription = undocumented({
	resource: 'speech',
	operation: 'createTranscription',
	name: 'Create Transcription',
	action: 'Create transcription',
	purpose: 'Use the separate transcriptions endpoint, unlike Speech to Text',
	path: '/ai/transcriptions',
	scope: 'transcriptions',
	inputTypeDefault: 'audio',
});
