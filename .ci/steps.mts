/** Steps that one job of `.github/workflows/ci.yml` runs: `.ci/run --group NAME`. */
export type Group = 'checks' | 'browser' | 'full' | 'versions';

export interface Command {
	command: string;
	/** Whether the command runs jest, whose tests are counted. */
	isSuite?: boolean;
	/** Time limit: about twice the usual time or more. */
	minutes: number;
}

export interface Step extends Command {
	group: Group;
}

/** The build, which all suites share. */
export const preparation: Command = { command: 'npm run prepare:tests', minutes: 6 };

/**
 * Two lanes take the steps in this order. While the first lane downloads n8n versions that are not installed yet, the other
 * one runs the checks and the tests of `npm test`. Long suites come before short ones, so that both lanes end at about the
 * same time.
 */
export const steps: Step[] = [
	{ command: 'node --import tsx dev/scripts/install-n8n.mts', group: 'versions', minutes: 15 },
	{ command: 'npm run types', group: 'checks', minutes: 6 },
	{ command: 'npm run lint', group: 'checks', minutes: 8 },
	{ command: 'npm run format:check', group: 'checks', minutes: 2 },
	{ command: 'npm run docs:check', group: 'checks', minutes: 2 },
	{ command: 'npm run scan', group: 'checks', minutes: 2 },
	// This runs the tests of `npm test`, and fails if they cover too little.
	{ command: 'npm run coverage', group: 'checks', minutes: 20, isSuite: true },
	{ command: 'npm run test:browser', group: 'browser', minutes: 35, isSuite: true },
	{ command: 'npm run test:full', group: 'full', minutes: 45, isSuite: true },
	{ command: 'npm run test:queue', group: 'versions', minutes: 30, isSuite: true },
	{ command: 'npm run test:versions', group: 'versions', minutes: 30, isSuite: true },
	{ command: 'npm run test:engines', group: 'versions', minutes: 20, isSuite: true },
	{ command: 'npm run release:check', group: 'checks', minutes: 10 },
];
