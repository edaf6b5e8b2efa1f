// What the demo remembers between two runs: its login, and which workflow in n8n is which example.
import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @param {string} folder */
const fileIn = (folder) => join(folder, 'state.json');

/**
 * @typedef {object} State
 * @property {import('../hosts/rest.mjs').Login} login
 * @property {Record<string, {id: string, fingerprint: string}>} workflows by the example's name
 */

/**
 * @param {string} folder
 * @returns {Promise<State>} with a new login where there is no state yet
 */
export async function readState(folder) {
	try {
		return JSON.parse(await readFile(fileIn(folder), 'utf8'));
	} catch {
		// Made anew for each machine, and good for nothing but this n8n on the loopback address.
		const password = `Demo-${randomBytes(6).toString('hex')}`;
		return { login: { email: 'demo@voice-speech.example', password }, workflows: {} };
	}
}

/**
 * @param {string} folder
 * @param {State} state
 * @returns {Promise<void>}
 */
export async function writeState(folder, state) {
	await mkdir(folder, { recursive: true });
	const draft = `${fileIn(folder)}.new`;
	await writeFile(draft, JSON.stringify(state, null, '\t'), { mode: 0o600 });
	await rename(draft, fileIn(folder));
}

/**
 * @param {string} folder
 * @returns {Promise<boolean>}
 */
export async function hasState(folder) {
	return await access(fileIn(folder)).then(
		() => true,
		() => false,
	);
}

/**
 * @param {string} folder
 * @returns {Promise<void>}
 */
export async function forgetState(folder) {
	await rm(fileIn(folder), { force: true });
}
