import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './problem.mjs';

/**
 * Runs a task while no other process of this machine runs one under the same lock file. The lock of a
 * process that is gone is taken over.
 * @template T
 * @param {string} file
 * @param {object} options
 * @param {() => void} options.onWait called once, when another process holds the lock; may throw to give up
 * @param {AbortSignal} [options.signal] ends the waiting
 * @param {() => Promise<T>} task
 * @returns {Promise<T>} what the task returned
 */
export async function withLock(file, { onWait, signal }, task) {
	for (let waited = false; !(await take(file)); waited = true) {
		if (!waited) onWait();
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
	for (let attempt = 0; attempt < 2; attempt++) {
		try {
			await writeFile(file, String(process.pid), { flag: 'wx' });
			return true;
		} catch (error) {
			if (codeOf(error) !== 'EEXIST') throw error;
		}
		if (!(await isAbandoned(file))) return false;
		await rm(file, { force: true });
	}
	return false;
}

/** @param {string} file */
async function isAbandoned(file) {
	const holder = Number(await readFile(file, 'utf8').catch(() => ''));
	const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
	// After a restart the number may be that of another process.
	const lastBoot = Date.now() - uptime() * 1_000;
	if (mtimeMs < lastBoot) return true;
	// Empty: between the file's creation and its content, or killed just there.
	if (!(holder > 0)) return Date.now() - mtimeMs > 10_000;
	return !isAlive(holder);
}

/** @param {number} pid */
function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === 'EPERM';
	}
}
