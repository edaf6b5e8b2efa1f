import { config } from '@n8n/node-cli/eslint';

/** n8n's rules for packages, without those that concern only code that runs inside of n8n. */
export default [
	...config,
	{
		rules: {
			curly: ['error', 'multi-line'],
			'@n8n/community-nodes/no-dangerous-functions': 'off',
			'@n8n/community-nodes/no-restricted-globals': 'off',
			'@n8n/community-nodes/no-restricted-imports': 'off',
			'@n8n/community-nodes/require-node-api-error': 'off',
		},
	},
];
