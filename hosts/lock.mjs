import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a task while no other process of this machine runs one under the same lock file. The lock of a
 * process that is gone is taken over.
 * @template T
 * @param {string} file
 * @param {object} options
 * @param {(step: string, usually: string) => void} options.onWait called once, when it has to wait
 * @param {AbortSignal} [options.signal] ends the waiting
 * @param {() => Promise<T>} task
 * @returns {Promise<T>} what the task returned
 */
export async function withLock(file, { onWait, signal }, task) {
	for (let waited = false; !(await take(file)); waited = true) {
		if (!waited) onWait('Waiting for another process that installs the same n8n', 'a few minutes');
		await sleep(1_000, undefined, { signal });
	}
	try {
		return await task();
	} finally {
		await rm(file, { force: true });
	}
}

/**
 * @param {string} file
 * @returns {Promise<boolean>} whether the lock is ours now
 */
async function take(file) {
	try {
		await writeFile(file, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code !== 'EEXIST') throw error;
	}
	const holder = Number(await readFile(file, 'utf8').catch(() => ''));
	if (holder > 0 && !isAlive(holder)) await rm(file, { force: true });
	return false;
}

/** @param {number} pid */
function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
