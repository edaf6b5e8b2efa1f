import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquireLock } from '../lib/lock.mts';
import { codeOf, Problem } from '../lib/problem.mts';
import type { SavedState } from './state.mts';

/** The lock of an emulator that was killed expires in this time. */
const lockLimitMs = 7_000;

/** Writes a file through a draft: a crash or a full disk never leaves half a file. */
export async function writeText(file: string, text: string) {
	const draft = `${file}.new`;
	await writeFile(draft, text, { mode: 0o600, flush: true });
	await rename(draft, file);
}

/** What an emulator keeps in a folder between two starts. */
interface Storage {
	/** What the last run saved. */
	saved?: SavedState;
	/** Resolves once the value, or a newer one, is on the disk. */
	save: (value: SavedState) => Promise<void>;
	/** Lets another emulator use the folder. */
	close: () => Promise<void>;
}

/**
 * @param folder undefined to keep nothing
 * @throws {Problem} if the folder cannot be written, another emulator uses it, or the file is damaged: it is not overwritten
 */
export async function openStorage(folder: string | undefined): Promise<Storage> {
	if (folder === undefined) return { save: async () => {}, close: async () => {} };
	const file = path.join(folder, 'emulator.json');
	const release = await lockFolder(folder);
	const saved = await readSaved(file).catch(async (error) => {
		await release();
		throw error;
	});
	let onDisk = '';
	let newest = '';
	let writing = Promise.resolve();
	const write = async () => {
		const text = newest;
		if (text === onDisk) return;
		await writeText(file, text);
		onDisk = text;
	};
	return {
		saved,
		async save(value) {
			newest = JSON.stringify(value, null, '\t');
			// One write at a time, also after one that failed.
			writing = writing.then(write, write);
			await writing;
		},
		close: release,
	};
}

/** @returns releases the folder */
async function lockFolder(folder: string): Promise<() => Promise<void>> {
	try {
		await mkdir(folder, { recursive: true });
		return await acquireLock(path.join(folder, 'running.lock'), {
			signal: AbortSignal.timeout(lockLimitMs),
		});
	} catch (error) {
		if ((error as Error).name === 'TimeoutError') {
			throw new Problem(`Another emulator uses ${folder}: end it, or choose another folder.`);
		}
		throw new Problem(
			`The emulator cannot write to ${folder} (${codeOf(error)}): choose another folder.`,
		);
	}
}

/** @returns undefined if there is no such file */
async function readSaved(file: string): Promise<SavedState | undefined> {
	if (!existsSync(file)) return undefined;
	const content = await readFile(file, 'utf8');
	try {
		const saved = JSON.parse(content);
		if (saved.keys && saved.voices && saved.wallets) return saved;
	} catch {
		// The same message.
	}
	throw new Problem(`${file} is damaged. Delete it, or choose another folder.`);
}
