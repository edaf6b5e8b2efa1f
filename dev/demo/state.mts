// What the demo remembers between two runs.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeText } from '../emulator/storage.mts';
import { codeOf, Problem } from '../lib/problem.mts';
import type { Login } from '../n8n/rest.mts';

const fileIn = (folder: string) => join(folder, 'state.json');

export interface State {
	/** the folders that this demo created contain it (folders.mts) */
	id: string;
	login: Login;
	/** the emulator's key in n8n's credential */
	apiKey?: string;
	/** a voice that the emulator has */
	voiceId?: string;
	/** by the example's name;   `versionId`: n8n's, which changes when the user edits it */
	workflows: Record<string, { id: string; fingerprint: string; versionId?: string }>;
}

/**
 * @returns with a new id and login if there is no state yet
 * @throws {Problem} if the file is damaged, or another program wrote it: it is neither used nor overwritten
 */
export async function readState(folder: string): Promise<State> {
	try {
		const state = JSON.parse(await readFile(fileIn(folder), 'utf8'));
		const isState = [state.id, state.login?.email, state.login?.password].every(
			(value) => typeof value === 'string',
		);
		if (isState && state.workflows) return state;
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return newState();
		if (!(error instanceof SyntaxError)) throw error;
	}
	throw new Problem(
		`The demo did not create ${fileIn(folder)}, or it is damaged, so the demo does not use it. Choose another folder with --folder <path>. If ${folder} has nothing but the demo's files, you can delete it and start again.`,
	);
}

/** @returns its login is valid only for this n8n on the loopback address */
export function newState(): State {
	const password = `Demo-${randomBytes(6).toString('hex')}`;
	return {
		id: randomUUID(),
		login: { email: 'demo@voice-speech.example', password },
		workflows: {},
	};
}

export async function writeState(folder: string, state: State) {
	await mkdir(folder, { recursive: true });
	await writeText(fileIn(folder), JSON.stringify(state, null, '\t'));
}
