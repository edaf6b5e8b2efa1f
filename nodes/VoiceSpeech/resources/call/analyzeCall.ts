import { undocumented } from '../undocumented';

/** Post-call analytics (docs/openapi.yaml). */
export const analyzeCall = undocumented({
	resource: 'call',
	operation: 'analyzeCall',
	name: 'Analyze Call',
	action: 'Analyze recorded call',
	purpose: 'Evaluate a call after it has ended',
	path: '/ai/post-call-analytics',
	scope: 'post-call-analytics',
	inputTypeDefault: 'audio',
});
