import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { readErrorCode } from '../lib/errors.mts';
import type { Login } from '../n8n/rest.mts';

/** What the demo remembers between two runs. */
export interface DemoState {
	login: Login;
	apiKey?: string;
	voiceId?: string;
	/** Port of the mock systems. It must not change, because the imported workflows contain it. */
	mockSystemsPort?: number;
	/** The imported examples, by their names. */
	workflows: Record<string, { id: string }>;
}

const getStatePath = (folder: string) => path.join(folder, 'state.json');

/** @returns a new login if there is no state yet */
export async function readState(folder: string): Promise<DemoState> {
	try {
		return JSON.parse(await readFile(getStatePath(folder), 'utf8')) as DemoState;
	} catch (error) {
		// ENOTDIR: the folder is a file. The emulator, which is started next, says so.
		if (!['ENOENT', 'ENOTDIR'].includes(readErrorCode(error))) throw error;
		const password = `Demo-${randomBytes(6).toString('hex')}`;
		return { login: { email: 'demo@voice-speech.example', password }, workflows: {} };
	}
}

export async function writeState(folder: string, state: DemoState) {
	await writeFile(getStatePath(folder), JSON.stringify(state, null, '\t'), { mode: 0o600 });
}
