/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.cjs'),
	rootDir: '../..',
	testMatch: ['<rootDir>/test/full/**/*.test.ts', '<rootDir>/test/**/fuzz.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	testSequencer: './test/full/sequencer.cjs',
};
