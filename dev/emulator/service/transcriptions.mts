import { randomUUID } from 'node:crypto';
import { createUndocumentedService, findLanguage } from './undocumented.mts';

/** POST /ai/transcriptions. */
export const transcriptions = createUndocumentedService(
	3,
	'`id`, `status`, `language`, `text` (as speech to text)',
	(input) => ({
		id: `tr_${randomUUID()}`,
		status: 'completed',
		language: findLanguage(input),
		text: input.text,
	}),
);
