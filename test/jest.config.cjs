const { availableParallelism } = require('node:os');

const compileModule = require.resolve('./compileModules.cjs');

/**
 * Packages that are ES modules only, which jest cannot load with `require` on Node 20. In older versions of n8n, n8n-core
 * loads `is-network-error` and `p-retry` with LangChain.
 */
const esModules = `(?:${[
	'@borewit/text-codec',
	'@tokenizer',
	'content-type',
	'file-type',
	'get-port',
	'is-network-error',
	'media-typer',
	'music-metadata',
	'p-retry',
	'strtok3',
	'token-types',
	'uint8array-extras',
	'win-guid',
].join('|')})`;

/** `TEST_N8N=2.0.3 npm test -- test/engine test/credits` runs them on the engine of another n8n, which it installs. */
const { TEST_N8N: version } = process.env;
const n8nPackages = 'n8n-core(?:/.+)?|n8n-workflow|@n8n/(?:backend-common|backend-network|di)';

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '..',
	roots: ['<rootDir>/test'],
	// These take long or start a real n8n: n8n.config.cjs runs them.
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/(full|browser|versions|queue|weekly)/',
		'/fuzz\\.test\\.mts$',
	],
	moduleNameMapper: {
		// Jest takes the first that matches.
		...(version !== undefined && {
			[`^(${n8nPackages})$`]: `<rootDir>/.n8n-versions/n8n-${version}/node_modules/$1`,
		}),
		'^n8n-workflow$': '<rootDir>/test/n8nWorkflow.cjs',
		// These packages export nothing for `require`.
		'^file-type$': '<rootDir>/node_modules/file-type/index.js',
		'^music-metadata$': '<rootDir>/node_modules/music-metadata/lib/index.js',
		'^strtok3$': '<rootDir>/node_modules/strtok3/lib/index.js',
		'^strtok3/core$': '<rootDir>/node_modules/strtok3/lib/core.js',
		// The build makes this file; tests take the same WebAssembly out of the package.
		'/opusWasm\\.js$': '<rootDir>/dev/scripts/opusWasm.cjs',
		// A dynamic import names the file that the build makes.
		'^(\\..*/onDemand)\\.js$': '$1',
	},
	// `npm run types` checks the types.
	transform: {
		// Jest itself cannot load a globalSetup that ends in .mts.
		'\\.[cm]?ts$': compileModule,
		[`/node_modules/${esModules}/.+\\.js$`]: compileModule,
	},
	transformIgnorePatterns: [`/node_modules/(?!${esModules}/)`],
	// A test's context finds global objects slowly. The conversion uses this one for every sample.
	sandboxInjectedGlobals: ['Math'],
	// For a test that hangs. A slow machine needs seconds to start a process.
	testTimeout: 120_000,
	// The tests also wait, so there is one worker more than processor cores. (This was measured only on two cores.) Each can
	// take 600 MB, so a machine with many cores runs only six.
	maxWorkers: Math.min(availableParallelism() + 1, 6),
	// n8n stays in a worker's memory after the test file that loaded it, and makes later files slower. (package.json starts
	// jest with a larger young generation, in which V8 collects garbage less often.)
	workerIdleMemoryLimit: '600MB',
	// Where the processor is busy, a worker that has loaded n8n takes longer to free its memory than jest's 0.5 s. One that
	// something keeps open is still reported.
	workerGracefulExitTimeout: 10_000,
	// `npm test -- --coverage`
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['text-summary', 'html'],
	coverageThreshold: { global: { lines: 99, branches: 96 } },
};
