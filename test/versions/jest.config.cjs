/** @type {import('jest').Config} */
module.exports = {
	...require('../jest.config.cjs'),
	rootDir: '../..',
	roots: ['<rootDir>/test/versions'],
	testPathIgnorePatterns: ['/node_modules/'],
	// One n8n at a time.
	maxWorkers: 1,
};
