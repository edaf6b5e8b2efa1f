import { execFileSync } from 'node:child_process';
import { chown } from 'node:fs/promises';

/**
 * PostgreSQL refuses to run as root: root starts it as the account that its package made, everyone else
 * as themselves.
 * @typedef {{uid?: number, gid?: number}} Account
 */

/** @returns {Account} */
export function unprivilegedAccount() {
	if (process.getuid?.() !== 0) return {};
	const id = (/** @type {string} */ name, /** @type {string} */ which) =>
		Number(
			execFileSync('id', [which, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
		);
	for (const name of ['postgres', 'nobody']) {
		try {
			return { uid: id(name, '-u'), gid: id(name, '-g') };
		} catch {
			// There is no such account here.
		}
	}
	return {};
}

/**
 * @param {string} path
 * @param {Account} account
 * @returns {Promise<void>}
 */
export async function giveTo(path, { uid, gid }) {
	if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}
