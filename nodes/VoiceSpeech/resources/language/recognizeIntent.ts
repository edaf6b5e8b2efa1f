import { createUndocumentedOperation } from '../undocumented';

export const recognizeIntent = createUndocumentedOperation({
	resource: 'language',
	value: 'recognizeIntent',
	name: 'Recognize Intent',
	action: 'Recognize intent',
	scope: 'intent',
	defaultInput: 'text',
	purpose: 'Probably finds out what somebody wants.',
});
