import { detectLanguage } from '../text/language.mts';
import { createUndocumentedService } from './undocumented.mts';

/** POST /ai/language-detection. */
export const languageDetection = createUndocumentedService(
	1,
	'`language` (`und` for none), `confidence`: found by the library `tinyld`',
	detectLanguage,
);
