import { undocumented } from '../undocumented';

/** Post-call analytics (docs/openapi.yaml). */
export const analyzeCall = undocumented({
	resource: 'call',
	operation: 'analyzeCall',
	name: 'Analyze Call',
	action: 'Analyze call',
	scope: 'post-call-analytics',
	defaultInput: 'audio',
});
