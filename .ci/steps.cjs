/**
 * What `.ci/run` runs. `minutes` is the limit of a step, several times its usual time. A step with `report` runs jest
 * and is judged by its tests.
 * @typedef {{command: string, minutes: number, report?: string}} Step
 */

/** The rest needs it: the packages, and the build that all suites share. @type {Step[]} */
const first = [{ command: 'npm run prepare:tests', minutes: 6 }];

/**
 * The next one starts when one of the two lanes is free. In this order the checks run during the downloads, and
 * the longest suites start first, so that both lanes end at about the same time.
 * @type {Step[]}
 */
const rest = [
	{ command: 'node --import tsx dev/scripts/install-n8n.mts', minutes: 15 },
	{ command: 'npm run types', minutes: 3 },
	{ command: 'npm run lint', minutes: 3 },
	{ command: 'npx prettier --check .', minutes: 2 },
	{ command: 'npm run scan', minutes: 2 },
	{ command: 'npm test', minutes: 8, report: 'reports/test.json' },
	{ command: 'npm run test:full', minutes: 30, report: 'reports/test-full.json' },
	{ command: 'npm run test:browser', minutes: 35, report: 'reports/test-browser.json' },
	{ command: 'npm run test:queue', minutes: 16, report: 'reports/test-queue.json' },
	{ command: 'npm run test:hosts', minutes: 16, report: 'reports/test-hosts.json' },
	{ command: 'npm run test:engines', minutes: 8, report: 'reports/test-engines.json' },
	{ command: 'npm run release:check', minutes: 6 },
];

const lanes = 2;

module.exports = { first, lanes, rest };
