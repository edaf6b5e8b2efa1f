/** @type {import('jest').Config} */
module.exports = {
	...require('../../jest.config.cjs'),
	rootDir: '../..',
	roots: ['<rootDir>/test/full'],
	testPathIgnorePatterns: ['/node_modules/'],
	testTimeout: 120_000,
	// Every suite starts an n8n of its own.
	maxWorkers: 1,
};
