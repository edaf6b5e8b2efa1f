import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acquire, release } from '../n8n/lock.mjs';

/**
 * Writes a file through a draft: a crash or a full disk never leaves half a file.
 * @param {string} file
 * @param {string} text
 */
export async function writeText(file, text) {
	const draft = `${file}.new`;
	await writeFile(draft, text, { mode: 0o600, flush: true });
	await rename(draft, file);
}

/**
 * What an emulator keeps in a folder between two starts.
 * @template Saved
 * @param {string | undefined} folder undefined to keep nothing
 * @returns {Promise<{saved: Saved | undefined, save: (value: Saved) => Promise<void>, close: () => Promise<void>}>}
 *   `saved` is what the last run saved; `save` resolves once the value, or a newer one, is on the disk; `close` lets
 *   another emulator use the folder
 * @throws {Error} if another emulator uses the folder, or the file is damaged: it is not overwritten
 */
export async function openStorage(folder) {
	if (folder === undefined)
		return { saved: undefined, save: async () => {}, close: async () => {} };
	const file = path.join(folder, 'emulator.json');
	const lock = path.join(folder, 'running.lock');
	await mkdir(folder, { recursive: true });
	if (!(await acquire(lock))) {
		throw new Error(
			`Another emulator uses ${folder}: end it, or choose another folder. If none is running, delete ${lock}.`,
		);
	}
	/** @type {Saved | undefined} */
	const saved = await readSaved(file).catch(async (error) => {
		await release(lock);
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
		close: async () => await release(lock),
	};
}

/** @param {string} file */
async function readSaved(file) {
	const content = await readFile(file, 'utf8').catch((error) => {
		if (error.code !== 'ENOENT') throw error;
	});
	try {
		return content && JSON.parse(content);
	} catch {
		throw new Error(`${file} is damaged. Delete it, or choose another folder.`);
	}
}
