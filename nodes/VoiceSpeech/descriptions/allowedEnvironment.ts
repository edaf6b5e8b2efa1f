import type { INodeProperties } from 'n8n-workflow';

/** Prevents calls with the wrong wallet. */
export const allowedEnvironment: INodeProperties = {
	displayName: 'Allowed Keys',
	name: 'allowedEnvironment',
	type: 'options',
	options: [
		{ name: 'Sandbox and Live', value: 'any', description: 'Accept the keys of both wallets' },
		{
			name: 'Sandbox Only',
			value: 'sandbox',
			description: 'Refuse live keys, to protect the live wallet',
		},
		{ name: 'Live Only', value: 'live', description: 'Refuse sandbox keys' },
	],
	default: 'any',
	description: 'Which keys this node accepts. It refuses others before anything is sent.',
};
