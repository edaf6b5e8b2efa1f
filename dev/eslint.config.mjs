// Rules that know the types, for the development tools, the tests and the package. `eslint.config.mjs` of the repository has
// n8n's rules for the package and cannot have others, because n8n's strict mode rejects a file that differs from its own.
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const unsafe = ['argument', 'assignment', 'call', 'member-access', 'return'];

export default tseslint.config(
	eslint.configs.recommended,
	tseslint.configs.recommendedTypeChecked,
	{
		languageOptions: {
			parserOptions: {
				project: ['../tsconfig.json', 'tsconfig.json'],
				tsconfigRootDir: import.meta.dirname,
			},
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			// A second statement below an `if` without braces would always run.
			curly: ['error', 'multi-line'],
			// A function that must return a promise is `async`, so that what it throws rejects the promise.
			'@typescript-eslint/require-await': 'off',
			// An event listener may be `async`.
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
			// `{ hash, ...rest }` removes a property.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
	{
		// Tools and tests get `any` from JSON and packages without types. Checks at run time would be longer than their code.
		ignores: ['nodes/**', 'credentials/**'],
		rules: Object.fromEntries(
			unsafe.map((rule) => [`@typescript-eslint/no-unsafe-${rule}`, 'off']),
		),
	},
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
		// These run without tsx, in n8n or pnpm for example. Their types are comments, and gulpfile.js is in no tsconfig.json.
		files: ['**/*.{js,cjs,mjs}'],
		extends: [tseslint.configs.disableTypeChecked],
		rules: {
			// `npm run types` finds undefined names and knows those of Node. It leaves out gulpfile.js, which each build runs.
			'no-undef': 'off',
			// CommonJS has no other imports.
			'@typescript-eslint/no-require-imports': 'off',
		},
	},
);
