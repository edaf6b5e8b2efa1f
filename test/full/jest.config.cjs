/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.cjs'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/full/**/*.test.mts', '<rootDir>/test/**/fuzz.test.mts'],
	testPathIgnorePatterns: ['/node_modules/'],
	// While other suites run, a start of n8n or an installation may take minutes.
	testTimeout: 900_000,
	testSequencer: './test/full/sequencer.cjs',
};
