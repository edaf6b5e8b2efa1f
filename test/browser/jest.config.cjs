/** Files that only take pictures for the docs. */
const pictures = process.env.SCREENSHOTS === '1' ? ['**/*.pictures.ts'] : [];

/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.cjs'),
	rootDir: '../..',
	roots: ['<rootDir>/test/browser'],
	testMatch: ['**/*.test.ts', ...pictures],
	testPathIgnorePatterns: ['/node_modules/'],
	globalSetup: './test/browser/startN8n.ts',
	globalTeardown: './test/browser/stopN8n.ts',
	// More than a tab waits for one step, so that a failure says which.
	testTimeout: 400_000,
	// All test files share one n8n, and its editor is heavy.
	maxWorkers: 1,
};
