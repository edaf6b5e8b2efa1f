module.exports = {
	semi: true,
	trailingComma: 'all',
	bracketSpacing: true,
	useTabs: true,
	tabWidth: 2,
	arrowParens: 'always',
	singleQuote: true,
	quoteProps: 'as-needed',
	endOfLine: 'lf',
	printWidth: 100,
	overrides: [
		{
			// Contributors read these pages as text.
			files: ['CONTRIBUTING.md', 'docs/development/*.md', 'docs/credits.md', '{dev,test}/**/*.md'],
			options: { printWidth: 124, proseWrap: 'always' },
		},
	],
};
