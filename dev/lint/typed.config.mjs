// The rules of `npm run lint`, for all our code. They are not in the eslint.config.mjs of the repository, because
// n8n's strict mode rejects a file that differs from its own.
import eslint from '@eslint/js';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

import { unitTests } from '../lib/unitTests.mjs';

export default tseslint.config(
	// Git ignores them too, or they contain no code.
	{ ignores: ['dist', 'coverage', 'reports', 'demo-data', '.*/', '!.ci/'] },
	eslint.configs.recommended,
	tseslint.configs.recommendedTypeChecked,
	{
		languageOptions: {
			// Each file belongs to the nearest tsconfig.json above it, as in an editor.
			parserOptions: { projectService: true },
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
			// A package that only another package brings can disappear with it.
			'import-x/no-extraneous-dependencies': ['error', { includeTypes: true }],
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
		// These run without tsx, in n8n or pnpm for example. Their types are comments.
		files: ['**/*.{js,cjs,mjs}'],
		extends: [tseslint.configs.disableTypeChecked],
		rules: {
			// `npm run types` finds undefined names, and knows those of Node.
			'no-undef': 'off',
			// CommonJS has no other imports.
			'@typescript-eslint/no-require-imports': 'off',
		},
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
		// Tools and tests get `any` from packages without types. Checks at run time would be longer than their code.
		ignores: ['nodes/**', 'credentials/**'],
		rules: {
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
		},
	},
	{
		// A promise can reject with anything.
		files: ['dev/**/*.mts'],
		rules: {
			'@typescript-eslint/use-unknown-in-catch-callback-variable': 'error',
		},
	},
	{
		files: ['test/**/*.mts'],
		rules: {
			'no-restricted-globals': ['error', 'fdescribe', 'fit', 'xdescribe', 'xit', 'xtest'],
			'no-restricted-syntax': [
				'error',
				{
					selector: 'MemberExpression[property.name="only"]',
					message: 'It keeps the other tests of the file from running.',
				},
				{
					selector:
						':matches([object.name=/^(it|test|describe)$/], [object.object.name=/^(it|test|describe)$/])[property.name=/^(skip|todo|failing)$/]',
					message: 'A test that does not run, or may fail, proves nothing.',
				},
				{
					selector: 'MemberExpression[object.name="jest"][property.name=/mock(?!s$)/i]',
					message: "Do not mock modules: tests run our own and n8n's as they are.",
				},
			],
			// Tests forward values of any type, and throw values that are not errors.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/only-throw-error': 'off',
			'@typescript-eslint/prefer-promise-reject-errors': 'off',
			'@typescript-eslint/restrict-template-expressions': 'off',
			'@typescript-eslint/unbound-method': 'off',
		},
	},
	{
		// The mutation tests run these for each change, and the tests on another engine leave them out.
		files: [unitTests],
		rules: {
			'@typescript-eslint/no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: '/support/(engine|node)\\.mts$',
							message:
								"A unit test does not load n8n's engine. Write it in test/engine or test/credits.",
						},
					],
				},
			],
		},
	},
	{
		// Its first import sets variables that n8n-core reads when it is loaded.
		files: ['test/support/engine.mts'],
		rules: { 'import-x/order': 'off' },
	},
);
