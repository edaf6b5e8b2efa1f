import { createUndocumentedOperation } from '../undocumented';

export const analyzeSentiment = createUndocumentedOperation({
	resource: 'language',
	value: 'analyzeSentiment',
	name: 'Analyze Sentiment',
	action: 'Analyze sentiment',
	scope: 'sentiment',
	defaultInput: 'text',
	purpose: 'Probably finds the mood of a text or recording.',
});
