export interface Step {
	command: string;
	/** Whether it runs jest, whose tests are counted. */
	isSuite?: boolean;
	/** Limit, several times the usual time. */
	minutes: number;
}

/** The build, which all suites share. */
export const preparation: Step = { command: 'npm run prepare:tests', minutes: 6 };

/**
 * The checks and `npm test` run during the downloads of n8n. Then the longest suites start first, so that both lanes end
 * at about the same time.
 */
export const steps: Step[] = [
	{ command: 'node --import tsx dev/scripts/install-n8n.mts', minutes: 15 },
	{ command: 'npm run types', minutes: 3 },
	{ command: 'npm run lint', minutes: 3 },
	{ command: 'npx prettier --check .', minutes: 2 },
	{ command: 'npm run scan', minutes: 2 },
	// The tests of `npm test`, with its least coverage.
	{ command: 'npm run coverage', minutes: 10, isSuite: true },
	{ command: 'npm run test:browser', minutes: 35, isSuite: true },
	{ command: 'npm run test:full', minutes: 30, isSuite: true },
	{ command: 'npm run test:hosts', minutes: 16, isSuite: true },
	{ command: 'npm run test:queue', minutes: 16, isSuite: true },
	{ command: 'npm run test:engines', minutes: 8, isSuite: true },
	{ command: 'npm run release:check', minutes: 6 },
];
