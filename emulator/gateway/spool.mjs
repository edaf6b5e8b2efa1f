import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Temporary files of one request.
 * @param {string} folder
 */
export function createSpool(folder) {
	/** @type {string[]} */
	const paths = [];
	return {
		/** @returns {string} path of a file that does not exist yet */
		newPath() {
			const file = path.join(folder, randomUUID());
			paths.push(file);
			return file;
		},
		/** Deletes every file that was made; call it when the request is over. */
		async clear() {
			await Promise.all(paths.splice(0).map((file) => rm(file, { force: true })));
		},
	};
}
