/** The tests that take long or start a real n8n. `npm run test:full` and others choose a project. */
const { root: rootDir } = require('../dev/lib/root.cjs');
const {
	workerGracefulExitTimeout,
	workerIdleMemoryLimit,
	moduleNameMapper,
	transform,
	transformIgnorePatterns,
	sandboxInjectedGlobals,
} = require('./jest.config.cjs');

/** Files that only take pictures for the docs. */
const pictures = process.env.SCREENSHOTS === '1' ? ['<rootDir>/test/browser/*.pictures.mts'] : [];

/**
 * @param {string} displayName its folder in `test`
 * @param {NonNullable<import('jest').Config['projects']>[number] & object} options
 */
const createProject = (displayName, options = {}) => ({
	moduleNameMapper,
	transform,
	transformIgnorePatterns,
	sandboxInjectedGlobals,
	rootDir,
	// Without it, jest crawls all installed n8n versions.
	roots: ['<rootDir>/test'],
	displayName,
	testMatch: [`<rootDir>/test/${displayName}/**/*.test.mts`],
	testPathIgnorePatterns: ['/node_modules/'],
	...options,
});

/** @type {import('jest').Config} */
module.exports = {
	rootDir,
	workerGracefulExitTimeout,
	workerIdleMemoryLimit,
	// A step that waits fails before this, and names what it waits for. On a busy machine, n8n takes minutes to start.
	testTimeout: 20 * 60_000,
	projects: [
		createProject('full'),
		createProject('browser', {
			testMatch: ['<rootDir>/test/browser/*.test.mts', ...pictures],
			globalSetup: require.resolve('./browser/startN8n.cts'),
			globalTeardown: require.resolve('./browser/stopN8n.cts'),
		}),
		createProject('versions'),
		createProject('queue'),
		createProject('weekly', {
			testMatch: ['<rootDir>/test/weekly/*.test.mts', '<rootDir>/test/**/fuzz.test.mts'],
		}),
	],
};
