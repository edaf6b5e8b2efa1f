// The folders in which the demo keeps the data of n8n and of the emulator, and its files.
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../lib/problem.mts';
import { newState, readState, writeState } from './state.mts';

/** In each folder that the demo created: the id in its state file. */
const markerIn = (folder: string) => join(folder, '.created-by-demo');

/**
 * Creates the folders of a demo. Uses, and with `fresh` deletes, only those that this demo created: both the state
 * file and the folder itself must have its id, because either may have been copied, replaced or lost.
 * @param folder everything that this demo keeps
 * @param options.fresh delete what earlier runs left in the folder
 * @throws {Problem} if one of the folders exists and this demo did not create it: nothing is deleted then
 */
export async function createFolders(folder: string, { fresh = false }: { fresh?: boolean } = {}) {
	const userFolder = join(folder, 'n8n');
	const emulatorFolder = join(folder, 'emulator');
	const files = join(folder, 'files');
	const recordings = join(files, 'recordings');
	const created = [userFolder, emulatorFolder, files];
	let state = await readState(folder);
	for (const path of created) {
		const exists = await lstat(path).catch(() => undefined);
		if (exists && !(await isCreatedBy(state.id, path))) {
			throw new Problem(
				`The demo did not create ${path}, so it neither uses nor deletes it. Choose another folder with --folder <path>, or move ${path} away.`,
			);
		}
	}
	if (fresh) {
		for (const path of created) await rm(path, { recursive: true, force: true });
		state = newState();
	}
	// Before the folders, and so before n8n's owner: without this file the next run could use neither.
	await writeState(folder, state);
	for (const path of created) {
		await mkdir(path, { recursive: true });
		await writeFile(markerIn(path), state.id);
	}
	await mkdir(recordings, { recursive: true });
	return { userFolder, emulatorFolder, files, recordings, state };
}

/** @returns false for a link, too: the demo creates none */
async function isCreatedBy(id: string, path: string): Promise<boolean> {
	if (!(await lstat(path)).isDirectory()) return false;
	return (await readFile(markerIn(path), 'utf8').catch(() => '')) === id;
}
