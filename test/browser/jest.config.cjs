// results.test.ts only takes pictures. Without SCREENSHOTS=1 it has no test, which jest reports as a failure.
const picturesOnly = process.env.SCREENSHOTS === '1' ? [] : ['/test/browser/results\\.test\\.ts$'];

/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.cjs'),
	rootDir: '../..',
	roots: ['<rootDir>/test/browser'],
	testPathIgnorePatterns: ['/node_modules/', ...picturesOnly],
	globalSetup: './test/browser/startN8n.ts',
	globalTeardown: './test/browser/stopN8n.ts',
	testTimeout: 180_000,
	// All test files share one n8n, and its editor is heavy.
	maxWorkers: 1,
};
