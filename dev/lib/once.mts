import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { acquireLock, type LockOptions } from './lock.mts';

/**
 * Runs a task that writes into a folder, unless it has succeeded for the same sources. Of several processes, one runs it.
 *
 * @param readSources reads the texts that decide the result; they may include what the task writes
 * @throws the signal's reason if it was aborted while waiting
 */
export async function runOnce(
	folder: string,
	readSources: () => Promise<string[]>,
	options: LockOptions,
	task: () => Promise<void>,
): Promise<void> {
	const stamp = path.join(folder, 'fingerprint.txt');
	const isDone = async () => {
		const done = await readFile(stamp, 'utf8').catch(() => '');
		return done === computeFingerprint(await readSources());
	};
	if (await isDone()) return;
	await mkdir(folder, { recursive: true });
	const release = await acquireLock(`${folder}.lock`, options);
	try {
		if (await isDone()) return;
		// A task that is interrupted must run again.
		await rm(stamp, { force: true });
		await task();
		await writeFile(stamp, computeFingerprint(await readSources()));
	} finally {
		await release();
	}
}

/** @returns a hash, which is the same for the same texts on the same kind of machine */
function computeFingerprint(contents: string[]): string {
	const hash = createHash('sha256');
	for (const content of [...contents, process.platform, process.arch]) hash.update(`${content}\0`);
	return hash.digest('hex');
}
