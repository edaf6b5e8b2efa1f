/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.cjs'),
	rootDir: '../..',
	roots: ['<rootDir>/test/queue'],
	testPathIgnorePatterns: ['/node_modules/'],
	testTimeout: 20 * 60_000,
	// Every suite starts an n8n of several processes.
	maxWorkers: 1,
};
