// The lint of the development tools, with rules that know the types. `eslint.config.mjs` of the repository has the rules for
// the package and cannot have others: n8n's strict mode rejects a file that differs from its own.
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const unsafe = ['argument', 'assignment', 'call', 'member-access', 'return'];

export default tseslint.config(
	// Without types: they run without tsx, in n8n or pnpm for example.
	{ ignores: ['**/*.js', '**/*.cjs', '**/*.mjs'] },
	eslint.configs.recommended,
	tseslint.configs.recommendedTypeChecked,
	{
		languageOptions: {
			parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname },
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			// What comes out of JSON and packages without types is `any`. Checks at run time would be longer than the tools.
			...Object.fromEntries(unsafe.map((rule) => [`@typescript-eslint/no-unsafe-${rule}`, 'off'])),
			// A function that must return a promise is `async`, so that what it throws rejects the promise.
			'@typescript-eslint/require-await': 'off',
			// An event listener may be `async`.
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
			// `{ hash, ...rest }` removes a property.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
		},
	},
);
