import { undocumented } from '../undocumented';

/** Intent (docs/openapi.yaml). */
export const recognizeIntent = undocumented({
	resource: 'language',
	operation: 'recognizeIntent',
	name: 'Recognize Intent',
	action: 'Recognize intent',
	purpose: 'Find out what a text or recording asks for',
	path: '/ai/intent',
	scope: 'intent',
	inputTypeDefault: 'text',
});
