/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	// These take long or start a real n8n, and have commands of their own; test/full runs the fuzz tests too.
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/(full|browser|hosts|queue)/',
		'/fuzz\\.test\\.ts$',
	],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.test.json' }] },
	testTimeout: 30_000,
	// Two cores, and every engine test starts servers of its own.
	maxWorkers: 2,
	// `npm run coverage`
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['text-summary', 'html'],
	coverageThreshold: { global: { lines: 95, branches: 95 } },
};
