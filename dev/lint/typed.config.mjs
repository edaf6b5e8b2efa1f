// The rules of `npm run lint:typed`, for all our code. They are not in the eslint.config.mjs of the repository, because
// n8n's strict mode rejects a file that differs from its own.
import tseslint from 'typescript-eslint';

import { allowAny, typedRules } from './typedRules.mjs';

export default tseslint.config(
	typedRules,
	{
		files: ['nodes/**', 'credentials/**'],
		rules: {
			'@typescript-eslint/no-misused-promises': 'error',
			// Values of expressions may be anything, and become text; n8n's functions do not need their object.
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/restrict-template-expressions': 'off',
			'@typescript-eslint/unbound-method': 'off',
			// What another module threw is thrown again as it is.
			'@typescript-eslint/only-throw-error': 'off',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
		},
	},
	{
		ignores: ['nodes/**', 'credentials/**'],
		rules: allowAny,
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// Tests forward values of any type, and throw values that are not errors.
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/only-throw-error': 'off',
			'@typescript-eslint/prefer-promise-reject-errors': 'off',
			'@typescript-eslint/restrict-template-expressions': 'off',
			'@typescript-eslint/unbound-method': 'off',
		},
	},
	{
		// Its first import sets variables that n8n-core reads when it is loaded.
		files: ['test/support/engine.ts'],
		rules: { 'import-x/order': 'off' },
	},
);
