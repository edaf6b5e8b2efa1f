import { config } from '@n8n/node-cli/eslint';

/** n8n's rules for packages, without those that forbid what only code inside of n8n must not do. */
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
