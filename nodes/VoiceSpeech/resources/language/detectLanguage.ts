import { createUndocumentedOperation } from '../undocumented';

export const detectLanguage = createUndocumentedOperation({
	resource: 'language',
	value: 'detectLanguage',
	name: 'Detect Language',
	action: 'Detect language',
	scope: 'language-detection',
	defaultInput: 'text',
	purpose: 'Probably finds the language of a text or recording.',
});
