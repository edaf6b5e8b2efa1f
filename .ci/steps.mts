export interface Step {
	command: string;
	/** limit, several times the usual time */
	minutes: number;
}

/** The build, which all suites share. */
export const preparation: Step = { command: 'npm run prepare:tests', minutes: 6 };

/**
 * The checks run during the downloads of n8n. Then the longest suites start first, so that both lanes end at about the
 * same time.
 */
export const steps: Step[] = [
	{ command: 'node --import tsx dev/scripts/install-n8n.mts', minutes: 15 },
	{ command: 'npm run types', minutes: 3 },
	{ command: 'npm run lint', minutes: 3 },
	{ command: 'npx prettier --check .', minutes: 2 },
	{ command: 'npm run scan', minutes: 2 },
	{ command: 'npm test', minutes: 8 },
	{ command: 'npm run test:browser', minutes: 35 },
	{ command: 'npm run test:full', minutes: 30 },
	{ command: 'npm run test:hosts', minutes: 16 },
	{ command: 'npm run test:queue', minutes: 16 },
	{ command: 'npm run test:engines', minutes: 8 },
	{ command: 'npm run release:check', minutes: 6 },
];

/** Whether a step runs jest. Its tests are counted. */
export const isSuite = ({ command }: Step) => /^npm (run )?test\b/.test(command);
