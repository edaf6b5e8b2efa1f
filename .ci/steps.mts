export interface Step {
	command: string;
	/** Whether the command runs jest, whose tests are counted. */
	isSuite?: boolean;
	/** Time limit, which is several times the usual time. */
	minutes: number;
}

/** The build, which all suites share. */
export const preparation: Step = { command: 'npm run prepare:tests', minutes: 6 };

/**
 * Two lanes take the steps in this order. While the first lane downloads n8n versions that are not installed yet, the other
 * one runs the checks and the tests of `npm test`. Long suites come before short ones, so that both lanes end at about the
 * same time.
 */
export const steps: Step[] = [
	{ command: 'node --import tsx dev/scripts/install-n8n.mts', minutes: 15 },
	{ command: 'npm run types', minutes: 6 },
	{ command: 'npm run lint', minutes: 8 },
	{ command: 'npm run format:check', minutes: 2 },
	{ command: 'npm run scan', minutes: 2 },
	// This runs the tests of `npm test`, and fails if they cover too little.
	{ command: 'npm run coverage', minutes: 20, isSuite: true },
	{ command: 'npm run test:browser', minutes: 35, isSuite: true },
	{ command: 'npm run test:full', minutes: 45, isSuite: true },
	{ command: 'npm run test:versions', minutes: 30, isSuite: true },
	{ command: 'npm run test:queue', minutes: 30, isSuite: true },
	{ command: 'npm run test:engines', minutes: 20, isSuite: true },
	{ command: 'npm run release:check', minutes: 10 },
];
