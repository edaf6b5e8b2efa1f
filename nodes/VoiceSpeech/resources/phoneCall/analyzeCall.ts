import { createUndocumentedOperation } from '../undocumented';

export const analyzeCall = createUndocumentedOperation({
	resource: 'phoneCall',
	value: 'analyzeCall',
	name: 'Post-Call Analytics',
	action: 'Get post-call analytics',
	scope: 'post-call-analytics',
	defaultInput: 'audio',
	purpose: 'Probably evaluates a call after it has ended.',
});
