// The rules that everything written for this repository must pass, in addition to n8n's own. `typed.config.mjs` adds rules
// for single folders.
import eslint from '@eslint/js';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

export const typedRules = tseslint.config(
	eslint.configs.recommended,
	tseslint.configs.recommendedTypeChecked,
	{
		languageOptions: {
			parserOptions: {
				project: ['../../tsconfig.json', '../tsconfig.json'],
				tsconfigRootDir: import.meta.dirname,
			},
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		plugins: { 'import-x': importX },
		rules: {
			// Packages and Node's modules are first, then, below a blank line, other folders and files of the same folder.
			'import-x/order': [
				'error',
				{
					groups: [['builtin', 'external'], 'parent'],
					pathGroups: [{ pattern: './**', group: 'parent', position: 'after' }],
					pathGroupsExcludedImportTypes: [],
					// The files of the same folder are not a group of their own, which would need a blank line too.
					distinctGroup: false,
					'newlines-between': 'always',
				},
			],
			// `[]` follows a name, and `Array<...>` contains a type that consists of several parts.
			'@typescript-eslint/array-type': ['error', { default: 'array-simple' }],
			// A second statement below an `if` without braces would always run.
			curly: ['error', 'multi-line'],
			// One statement does one thing.
			'no-multi-assign': 'error',
			'no-nested-ternary': 'error',
			'no-return-assign': ['error', 'always'],
			'no-sequences': 'error',
			// The module is imported as `path`, because `join` alone could also join texts.
			'no-restricted-imports': [
				'error',
				{ paths: [{ name: 'node:path', allowImportNames: ['default'] }] },
			],
			// One statement imports all that a file needs of a module, its types included.
			'import-x/no-duplicates': ['error', { 'prefer-inline': true }],
			// What is only a type is imported as one, so that it loads no module.
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			// Prettier breaks code, but not comments.
			'max-len': ['error', { code: 1000, comments: 124, tabWidth: 2, ignoreUrls: true }],
			// A function that must return a promise is `async`, so that what it throws rejects the promise.
			'@typescript-eslint/require-await': 'off',
			// An event listener may be `async`.
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
			// `{ hash, ...rest }` removes a property.
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
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

/**
 * Tools and tests get `any` from JSON and from packages without types. Checks at run time would be longer than their code.
 *
 * @type {import('typescript-eslint').ConfigArray[number]['rules']}
 */
export const allowAny = {
	'@typescript-eslint/no-unsafe-argument': 'off',
	'@typescript-eslint/no-unsafe-assignment': 'off',
	'@typescript-eslint/no-unsafe-call': 'off',
	'@typescript-eslint/no-unsafe-member-access': 'off',
	'@typescript-eslint/no-unsafe-return': 'off',
};
