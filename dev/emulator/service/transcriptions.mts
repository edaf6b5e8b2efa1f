import { randomUUID } from 'node:crypto';
import { createUndocumentedService, findLanguage } from './undocumented.mts';

/** POST /ai/transcriptions. */
export const transcriptions = createUndocumentedService(
	3,
	'`id`, `status`, `language`, `text` (as speech to text)',
	async (input) => ({
		id: `tr_${randomUUID()}`,
		status: 'completed',
		language: await findLanguage(input),
		text: input.text,
	}),
);
