// CommonJS, because the configuration of jest reads it too.
const { readFileSync } = require('node:fs');
const path = require('node:path');

const { root } = require('../lib/root.cjs');

/**
 * @param {string} version an n8n that has a folder here
 * @returns {string} the version of its n8n-core
 */
exports.readCoreVersion = function readCoreVersion(version) {
	const lock = path.join(root, `dev/n8n/n8n-${version}/pnpm-lock.yaml`);
	const [, core] = /^ {2}n8n-core@([\d.]+):$/m.exec(readFileSync(lock, 'utf8')) ?? [];
	if (core === undefined) throw new Error(`${lock} has no n8n-core`);
	return core;
};
