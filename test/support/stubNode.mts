import type { INode } from 'n8n-workflow';

/** The node of a workflow to which n8n's errors belong. */
export const stubNode: INode = {
	id: '1',
	name: 'Voice and Speech',
	type: 'a',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
