const common = require('../../jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
	...common,
	// Most of the last look at the source or the package, not at what the code does.
	testPathIgnorePatterns: [
		...common.testPathIgnorePatterns,
		'<rootDir>/test/emulator/',
		'<rootDir>/test/package/(?!description|panels)',
		'<rootDir>/test/docs/(?!operations|tenth-operation)',
		'words\\.test\\.ts',
	],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.test.json', diagnostics: false }] },
	testEnvironment: require.resolve('./environment.cjs'),
	runtime: require.resolve('./runtime.cjs'),
};
