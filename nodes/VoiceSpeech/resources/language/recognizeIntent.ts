import { undocumented } from '../undocumented';

/** Intent (docs/openapi.yaml). */
export const recognizeIntent = undocumented({
	resource: 'language',
	operation: 'recognizeIntent',
	name: 'Recognize Intent',
	action: 'Recognize intent',
	scope: 'intent',
	defaultInput: 'text',
});
