/**
 * Changes the source in small ways and looks whether a test notices: `npm run test:mutation`, or for a part of it
 * `npm run test:mutation -- --mutate 'nodes/VoiceSpeech/errors/*.ts'`. Takes hours for all of it; a run that was
 * interrupted, or follows a change, goes on from what `reports/mutation/known.json` holds.
 */
export default {
	testRunner: 'jest',
	jest: {
		configFile: 'jest.config.cjs',
		config: {
			// The last two look at the source or the package, not at what the code does.
			testPathIgnorePatterns: [
				'/node_modules/',
				'<rootDir>/test/(full|browser|hosts|queue)/',
				'<rootDir>/test/(package|emulator|docs)/',
				'words\\.test\\.ts',
			],
			testSequencer: '<rootDir>/test/support/quickestFirst.cjs',
		},
		enableFindRelatedTests: true,
	},
	mutate: ['credentials/**/*.ts', 'nodes/**/*.ts'],
	coverageAnalysis: 'perTest',
	// What is only run while a module loads concerns every test: all of them would run for each such change.
	ignoreStatic: true,
	incremental: true,
	incrementalFile: 'reports/mutation/known.json',
	reporters: ['clear-text', 'progress', 'html', 'json'],
	htmlReporter: { fileName: 'reports/mutation/index.html' },
	jsonReporter: { fileName: 'reports/mutation/mutation.json' },
	tempDirName: 'reports/.stryker',
	concurrency: 2,
	timeoutMS: 60_000,
	thresholds: { high: 95, low: 85, break: 85 },
	ignorePatterns: ['.hosts', '.demo', 'dist', 'docs', 'reports', 'coverage'],
};
