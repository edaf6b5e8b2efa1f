import { unitTests } from '../dev/lib/unitTests.mjs';
import jest from './jest.config.cjs';

/**
 * `npx stryker run test/stryker.config.mjs` changes the source in small ways and reports the changes that no test notices.
 * By default, it changes the files on the way of a request; with `--mutate nodes/VoiceSpeech/audio/tags.ts` any other.
 */
export default {
	testRunner: 'jest',
	jest: {
		config: {
			...jest,
			rootDir: undefined,
			// Many changes make a test wait forever. The limit of Stryker itself is minutes, as it depends on the duration of the
			// first run. The longest test takes 1.5 s on an idle machine.
			testTimeout: 20_000,
			roots: ['credentials', 'nodes', 'test'],
			// Tests on n8n's engine would take too long, because thousands of changes are tried.
			testMatch: [`<rootDir>/${unitTests}`, '!**/errors/words.test.mts'],
		},
	},
	mutate: [
		'credentials/*.ts',
		'nodes/VoiceSpeech/**/*.ts',
		// It takes hours.
		'!nodes/VoiceSpeech/audio/**',
		// These need n8n's engine or a server.
		'!nodes/VoiceSpeech/VoiceSpeech.node.ts',
		'!nodes/VoiceSpeech/call/{admission,makeCall,openBody,prepareRequest,readOptions}.ts',
		'!nodes/VoiceSpeech/n8n/{entryPoints,httpClient,inputFiles,nodeItem,outputItem,runOperation}.ts',
		'!nodes/VoiceSpeech/run/**',
		// These are the texts and the parameters of the panel.
		'!nodes/VoiceSpeech/descriptions/{operation,parameters}.ts',
		'!nodes/VoiceSpeech/resources/**',
	],
	coverageAnalysis: 'perTest',
	// A change of what runs while files are loaded would need all tests.
	ignoreStatic: true,
	concurrency: 2,
	reporters: ['clear-text', 'progress', 'html'],
	htmlReporter: { fileName: 'reports/mutation/index.html' },
	tempDirName: 'reports/.stryker',
	thresholds: { high: 95, low: 85, break: 85 },
	ignorePatterns: [
		'.n8n-versions',
		'.cache',
		'demo-data',
		'dist',
		'docs/images',
		'reports',
		'coverage',
	],
};
