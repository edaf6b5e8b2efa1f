import { createUndocumentedOperation } from '../undocumented';

export const createTranscription = createUndocumentedOperation({
	resource: 'speech',
	value: 'createTranscription',
	name: 'Create Transcription',
	action: 'Create transcription',
	scope: 'transcriptions',
	defaultInput: 'audio',
	purpose: 'For a transcript, use Speech to Text.',
});
