/** Files that only take pictures for the docs. */
const pictures = process.env.SCREENSHOTS === '1' ? ['**/*.pictures.mts'] : [];

/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.cjs'),
	rootDir: '../..',
	roots: ['<rootDir>/test/browser'],
	testMatch: ['**/*.test.mts', ...pictures],
	testPathIgnorePatterns: ['/node_modules/'],
	globalSetup: './test/browser/startN8n.cts',
	globalTeardown: './test/browser/stopN8n.cts',
	// More than a tab waits for one step, so that a failure says which.
	testTimeout: 400_000,
	// All test files share one n8n, and its editor is heavy.
	maxWorkers: 1,
};
