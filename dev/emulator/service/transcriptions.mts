import { randomUUID } from 'node:crypto';

import { detectLanguage } from './language-detection.mts';
import { createUndocumentedHandler } from './undocumented.mts';

export const transcriptions = createUndocumentedHandler(
	3,
	'`id`, `status`, `language`, `text` (as speech to text)',
	({ language, text }) => ({
		id: `tr_${randomUUID()}`,
		status: 'completed',
		language: language ?? detectLanguage(text).language,
		text,
	}),
);
