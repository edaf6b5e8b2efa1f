import { readdirSync, readFileSync } from 'node:fs';

import jest from './jest.config.cjs';

/** The tests that need neither n8n's engine nor many runs: thousands of changes are tried. */
const unitTests = readdirSync('test', { recursive: true })
	.map((file) => `test/${file}`)
	.filter((file) =>
		/^test\/(audio|call|credentials|descriptions|errors|n8n|response|run|text)\/.+\.test\.ts$/.test(
			file,
		),
	)
	.filter((file) => !/\/(damagedFiles|fuzz|words)\.test\.ts$/.test(file))
	.filter((file) => !/support\/(engine|node)'/.test(readFileSync(file, 'utf8')));

/**
 * `npm run test:mutation` changes the source in small ways and reports the changes that no test notices. `mutate` lists the
 * modules on the way of a request. The conversion of audio is left out, because its tests take too long. One file:
 * `npm run test:mutation -- --mutate nodes/VoiceSpeech/text/decode.ts`.
 */
export default {
	testRunner: 'jest',
	jest: {
		config: {
			...jest,
			rootDir: undefined,
			// Many changes make a test wait for ever. The longest takes 1.5 s on an idle machine.
			testTimeout: 5_000,
			roots: ['credentials', 'nodes', 'test'],
			testMatch: unitTests.map((file) => `<rootDir>/${file}`),
		},
	},
	mutate: [
		'nodes/VoiceSpeech/run/*.ts',
		'nodes/VoiceSpeech/call/{abort,admission,backoff,connectionOptions,fields,fingerprint,headers,makeCall,openAudio,prepareRequest,readOptions,timeouts}.ts',
		'nodes/VoiceSpeech/errors/{audioReadError,blockedError,callError,httpError,networkError,quote,responseError,statusMeaning,timeoutError}.ts',
		'nodes/VoiceSpeech/n8n/{clientFault,inputFiles,nodeError,outputItem}.ts',
		'nodes/VoiceSpeech/response/{audioType,readResponse,serviceResponse}.ts',
		'nodes/VoiceSpeech/descriptions/{optionKinds,options,readValue}.ts',
		'nodes/VoiceSpeech/text/decode.ts',
		'credentials/*.ts',
		'nodes/VoiceSpeech/audio/{format,reader,sample,tags}.ts',
		'nodes/VoiceSpeech/audio/headers/*.ts',
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
		'.demo',
		'dist',
		'docs/images',
		'reports',
		'coverage',
	],
};
