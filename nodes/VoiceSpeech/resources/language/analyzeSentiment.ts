import { undocumented } from '../undocumented';

/** Sentiment (docs/openapi.yaml). */
export const analyzeSentiment = undocumented({
	resource: 'language',
	operation: 'analyzeSentiment',
	name: 'Analyze Sentiment',
	action: 'Analyze sentiment',
	purpose: 'Find out how a text or recording feels about its subject',
	path: '/ai/sentiment',
	scope: 'sentiment',
	inputTypeDefault: 'text',
});
