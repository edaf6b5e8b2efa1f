import { undocumented } from '../undocumented';

/** Answering-machine detection (docs/openapi.yaml). */
export const detectAnsweringMachine = undocumented({
	resource: 'call',
	operation: 'detectAnsweringMachine',
	name: 'Detect Answering Machine',
	action: 'Detect answering machine',
	purpose: 'Find out whether a person or a machine picked up',
	path: '/ai/amd',
	scope: 'amd',
	inputTypeDefault: 'audio',
});
