import { undocumented } from '../undocumented';

/** Transcriptions (docs/openapi.yaml). */
export const createTranscription = undocumented({
	resource: 'speech',
	operation: 'createTranscription',
	name: 'Create Transcription',
	action: 'Create transcription',
	scope: 'transcriptions',
	defaultInput: 'audio',
});
