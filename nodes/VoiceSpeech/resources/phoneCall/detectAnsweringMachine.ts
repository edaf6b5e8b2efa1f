import { createUndocumentedOperation } from '../undocumented';

export const detectAnsweringMachine = createUndocumentedOperation({
	resource: 'phoneCall',
	value: 'detectAnsweringMachine',
	name: 'Detect Answering Machine',
	action: 'Detect answering machine',
	scope: 'amd',
	defaultInput: 'audio',
	purpose: 'Probably finds out whether a machine answered a call.',
});
