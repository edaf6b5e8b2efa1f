// The finished steps of an install: the next run neither repeats them nor trusts half of one.
import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const stamp = 'installed.json';

/**
 * @param {string[]} contents the texts that decide the result
 * @returns {string} the same for the same texts on the same kind of machine
 */
export function fingerprint(contents) {
	const hash = createHash('sha256');
	for (const content of [...contents, process.platform, process.arch]) hash.update(`${content}\0`);
	return hash.digest('hex');
}

/**
 * @param {string} folder
 * @param {string} wanted fingerprint of what to install
 * @returns {Promise<string[]>} the names of the steps that are done for exactly that
 */
export async function finishedSteps(folder, wanted) {
	try {
		const { fingerprint: done, steps } = JSON.parse(await readFile(join(folder, stamp), 'utf8'));
		return done === wanted ? steps : [];
	} catch {
		return [];
	}
}

/**
 * @param {string} folder
 * @param {string} wanted
 * @param {string} step
 * @returns {Promise<void>}
 */
export async function recordStep(folder, wanted, step) {
	const steps = [...(await finishedSteps(folder, wanted)), step];
	// Renamed at the end: a reader never sees half a file.
	const draft = join(folder, `${stamp}.${process.pid}`);
	await writeFile(draft, JSON.stringify({ fingerprint: wanted, steps }, null, '\t'));
	await rename(draft, join(folder, stamp));
}
