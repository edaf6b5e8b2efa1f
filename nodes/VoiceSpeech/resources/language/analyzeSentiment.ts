import { undocumented } from '../undocumented';

/** Sentiment (docs/openapi.yaml). */
export const analyzeSentiment = undocumented({
	resource: 'language',
	operation: 'analyzeSentiment',
	name: 'Analyze Sentiment',
	action: 'Analyze sentiment',
	scope: 'sentiment',
	defaultInput: 'text',
});
