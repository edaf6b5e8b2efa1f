import { undocumented } from '../undocumented';

/** Language detection (docs/openapi.yaml). */
export const detectLanguage = undocumented({
	resource: 'language',
	operation: 'detectLanguage',
	name: 'Detect Language',
	action: 'Detect language',
	purpose: 'Find out which language a text or recording is in',
	path: '/ai/language-detection',
	scope: 'language-detection',
	inputTypeDefault: 'text',
});
