const { mkdirSync, rmSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { TestEnvironment } = require('jest-environment-node');

/** n8n-core reads its folder, its key and its log level once, when it is loaded. */
const userFolder = path.join(tmpdir(), `voice-speech-test-${process.pid}`);
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'key-of-the-tests-only';
// Tests provoke errors on purpose; test/support/log.ts turns the log on.
process.env.N8N_LOG_LEVEL ??= 'silent';

/**
 * Gives test files the n8n that the process has loaded: jest would load n8n-core again for each test file, which takes
 * 2 s. n8nPackage.cjs requires it.
 */
module.exports = class N8nEnvironment extends TestEnvironment {
	/** @override */
	async setup() {
		await super.setup();
		mkdirSync(userFolder, { recursive: true });
		this.global.requireOnce = createRequire(__filename);
		// jest does not support `import()` in tests without an experimental flag of Node.
		this.global.importOnce = async (/** @type {string} */ file) =>
			await import(pathToFileURL(file).href);
	}

	/** @override */
	async teardown() {
		rmSync(userFolder, { recursive: true, force: true });
		await super.teardown();
	}
};
