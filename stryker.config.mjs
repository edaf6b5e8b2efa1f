/**
 * Changes the source in small ways and looks whether a test notices: `npm run test:mutation`, or for a part of it
 * `npm run test:mutation -- --mutate 'nodes/VoiceSpeech/errors/*.ts'`. Takes an hour or two for all of it; a run
 * that was interrupted, or follows a change, goes on from what `reports/mutation/known.json` holds.
 */
export default {
	// Jest's tests, by a runner of our own that loads n8n once and not for each change: see test/mutation.
	testRunner: 'mutation',
	plugins: ['./test/mutation/runner.mjs'],
	mutate: ['credentials/**/*.ts', 'nodes/**/*.ts'],
	coverageAnalysis: 'perTest',
	incremental: true,
	incrementalFile: 'reports/mutation/known.json',
	reporters: ['clear-text', 'progress', 'html', 'json'],
	htmlReporter: { fileName: 'reports/mutation/index.html' },
	jsonReporter: { fileName: 'reports/mutation/mutation.json' },
	tempDirName: 'reports/.stryker',
	// Many tests wait rather than compute.
	concurrency: 6,
	testRunnerNodeArgs: ['--max-semi-space-size=64'],
	// What a mutant leaves behind in the process ends with it.
	maxTestRunnerReuse: 60,
	dryRunTimeoutMinutes: 20,
	timeoutMS: 60_000,
	timeoutFactor: 3,
	thresholds: { high: 95, low: 85, break: 85 },
	ignorePatterns: ['.hosts', '.demo', 'dist', 'docs', 'reports', 'coverage'],
};
