const { readdirSync } = require('node:fs');
const path = require('node:path');

const { readCoreVersion } = require('../../dev/n8n/coreVersion.cjs');
const common = require('../jest.config.cjs');
const { devDependencies } = require('../../package.json');

// Jest accepts these only outside of projects, and warns of others that it does not accept there.
const {
	coverageReporters,
	coverageThreshold,
	maxWorkers,
	testTimeout,
	workerGracefulExitTimeout,
	workerIdleMemoryLimit,
	...shared
} = common;
const rootDir = path.resolve(__dirname, '../..');
/** Without the version that `npm test` runs. */
const older = readdirSync(path.join(rootDir, 'dev/n8n')).filter(
	(name) =>
		name.startsWith('n8n-') &&
		readCoreVersion(name.replace('n8n-', '')) !== devDependencies['n8n-core'],
);
const { TEST_N8N: tried } = process.env;
const folders = tried === undefined ? older : [`n8n-${tried}`];
const suites = ['credits', 'engine'];
const n8nPackages = 'n8n-core(?:/.+)?|n8n-workflow|@n8n/(?:backend-common|backend-network|di)';

/** @type {import('jest').Config} */
module.exports = {
	// Each worker loads the n8n-core of all these versions, so there are only two.
	maxWorkers: 2,
	testTimeout,
	workerGracefulExitTimeout,
	workerIdleMemoryLimit,
	globalSetup: './installVersions.cts',
	projects: folders.map((name) => ({
		...shared,
		displayName: name,
		rootDir,
		roots: suites.map((suite) => `<rootDir>/test/${suite}`),
		moduleNameMapper: {
			// Jest takes the first that matches.
			[`^(${n8nPackages})$`]: `<rootDir>/.n8n-versions/${name}/node_modules/$1`,
			...shared.moduleNameMapper,
		},
	})),
};
