// What the demo remembers between two runs: its login, and which workflow in n8n is which example.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
		return JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'));
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
	const draft = join(folder, 'state.json.new');
	await writeFile(draft, JSON.stringify(state, null, '\t'), { mode: 0o600 });
	await rename(draft, join(folder, 'state.json'));
}
