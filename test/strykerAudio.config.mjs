import stryker from './stryker.config.mjs';

/**
 * `npm run test:mutation:audio` does for the code that reads and converts audio what `npm run test:mutation` does for
 * other code. It is a command of its own, because its tests take longer. `jest.config.cjs` excludes the
 * fuzz tests.
 */
export default {
	...stryker,
	jest: {
		config: {
			...stryker.jest.config,
			testMatch: ['<rootDir>/test/audio/**/*.test.mts'],
		},
	},
	mutate: [
		'nodes/VoiceSpeech/audio/{convert,headers,isobmff}/**/*.ts',
		'nodes/VoiceSpeech/audio/{codecs,tags}.ts',
		'!**/*.d.ts',
	],
	htmlReporter: { fileName: 'reports/mutation-audio/index.html' },
};
