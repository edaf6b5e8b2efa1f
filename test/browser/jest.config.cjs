// It makes only pictures, so without them it would be a file without a test.
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
	// They share one n8n, and its editor is heavy.
	maxWorkers: 1,
};
