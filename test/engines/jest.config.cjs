const { readdirSync, readFileSync } = require('node:fs');
const path = require('node:path');

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
/** @param {string} folder its folder in `dev/n8n/` */
const findCoreVersion = (folder) =>
	/^ {2}n8n-core@([\d.]+):$/m.exec(
		readFileSync(path.join(rootDir, 'dev/n8n', folder, 'pnpm-lock.yaml'), 'utf8'),
	)?.[1];
/** Without the version that `npm test` runs. */
const older = readdirSync(path.join(rootDir, 'dev/n8n')).filter(
	(name) => name.startsWith('n8n-') && findCoreVersion(name) !== devDependencies['n8n-core'],
);
const { TEST_N8N: tried } = process.env;
const folders = tried === undefined ? older : [`n8n-${tried}`];
const suites = ['credits', 'engine', 'errors', 'response'];
const n8nPackages = 'n8n-core(?:/.+)?|n8n-workflow|@n8n/(?:backend-common|backend-network|di)';

/** @type {import('jest').Config} */
module.exports = {
	// Each worker loads the n8n-core of all these versions, so there are only two.
	maxWorkers: 2,
	testTimeout,
	workerGracefulExitTimeout,
	workerIdleMemoryLimit,
	globalSetup: './installVersions.ts',
	projects: folders.map((name) => ({
		...shared,
		displayName: name,
		rootDir,
		roots: suites.map((suite) => `<rootDir>/test/${suite}`),
		moduleNameMapper: {
			...shared.moduleNameMapper,
			[`^(${n8nPackages})$`]: `<rootDir>/.n8n-versions/${name}/node_modules/$1`,
		},
	})),
};
