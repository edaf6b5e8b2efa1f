import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';

import { readErrorCode } from './errors.mts';

export interface LockOptions {
	/** Called once, if another process holds the lock. */
	onWait?: () => void;
	/** Ends the waiting. */
	signal?: AbortSignal;
}

/**
 * Acquires a lock, as soon as no other process of this machine holds it.
 *
 * @param folder absolute path of the lock, a folder that exists while it is held
 * @returns a function that releases the lock
 * @throws the signal's reason if it was aborted while waiting
 */
export async function acquireLock(
	folder: string,
	{ onWait, signal }: LockOptions = {},
): Promise<() => Promise<void>> {
	let isWaiting = false;
	while (true) {
		try {
			return await lock(folder, {
				lockfilePath: folder,
				realpath: false,
				// The process that holds a lock renews it twice in this time. A lock that is older was left by a crash.
				stale: 5_000,
				// A person who deletes the folder wants to use what it locks, so this is not an error.
				onCompromised: () => {},
			});
		} catch (error) {
			if (readErrorCode(error) !== 'ELOCKED') throw error;
		}
		if (!isWaiting) onWait?.();
		isWaiting = true;
		await sleep(500);
		signal?.throwIfAborted();
	}
}
