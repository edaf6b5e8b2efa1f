import { mkdir, rmdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './problem.mts';
import { deleteAfterwards, keepAfterwards } from './processes.mts';

/** A lock that this process holds. */
export interface Lock {
	release: () => Promise<void>;
}

export interface LockOptions {
	/** called once, if another process holds the lock */
	onWait?: () => void;
	/** ends the waiting */
	signal?: AbortSignal;
}

/**
 * Acquires a lock if no other process of this machine holds it. The lock is a folder: only one process can create it.
 * When the process ends, for any reason, its guard (guard.mts) deletes the folder. Only a crash of the machine leaves it.
 * @param folder absolute path of the lock
 * @returns undefined if another process holds the lock
 */
export async function acquireLock(folder: string): Promise<Lock | undefined> {
	try {
		await mkdir(folder);
	} catch (error) {
		if (codeOf(error) === 'EEXIST') return undefined;
		throw error;
	}
	deleteAfterwards(folder);
	const release = async () => {
		await rmdir(folder);
		keepAfterwards(folder);
	};
	return { release };
}

/**
 * Runs a task while no other process of this machine runs one under the same lock.
 * @returns what the task returned
 * @throws the signal's reason if it was aborted while waiting
 */
export async function withLock<T>(
	folder: string,
	{ onWait, signal }: LockOptions,
	task: () => Promise<T>,
): Promise<T> {
	let lock = await acquireLock(folder);
	if (!lock) onWait?.();
	while (!lock) {
		await sleep(1_000, undefined, { signal });
		lock = await acquireLock(folder);
	}
	try {
		return await task();
	} finally {
		await lock.release();
	}
}
