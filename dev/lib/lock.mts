import { randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './problem.mts';

/**
 * Runs a task while no other process of this machine runs one under the same lock file. The lock of a
 * process that is gone is taken over. (proper-lockfile 4.1.2 lets two processes take over an abandoned lock:
 * https://github.com/moxystudio/node-proper-lockfile/issues/121.)
 * @param options.onWait called once, when another process holds the lock; may throw to stop waiting
 * @param options.signal ends the waiting
 * @returns what the task returned
 */
export async function withLock<T>(
	file: string,
	{ onWait, signal }: { onWait: () => void; signal?: AbortSignal },
	task: () => Promise<T>,
): Promise<T> {
	for (let waited = false; !(await acquire(file)); waited = true) {
		if (!waited) onWait();
		await sleep(1_000, undefined, { signal });
	}
	try {
		return await task();
	} finally {
		await release(file);
	}
}

/** Releases a lock that this process has acquired. */
export const release = async (file: string) => await rm(file, { force: true });

/**
 * Acquires a lock if no other process holds it.
 * @returns whether this process holds the lock now
 */
export async function acquire(file: string): Promise<boolean> {
	const holder = `${process.pid}-${randomUUID()}`;
	const draft = `${file}.${holder}`;
	await writeFile(draft, holder);
	try {
		// Unlike a file that is created and then written, a link never exists without its content.
		await link(draft, file);
		return true;
	} catch (error) {
		if (codeOf(error) !== 'EEXIST') throw error;
	} finally {
		await rm(draft, { force: true });
	}
	return (await removeAbandoned(file)) && (await acquire(file));
}

/**
 * Removes a lock whose holder is gone. Of several processes that find it, one removes it: under a second lock, named
 * after that holder. Another one that comes too late sees a new holder, and leaves the lock alone.
 * @returns whether the lock may be free now
 */
async function removeAbandoned(file: string): Promise<boolean> {
	const holder = await readFile(file, 'utf8').catch(() => undefined);
	if (holder === undefined) return true;
	if (!(await isAbandoned(file, holder))) return false;
	const removal = `${file}.${encodeURIComponent(holder).slice(0, 50)}.removal`;
	if (!(await acquire(removal))) return false;
	try {
		const now = await readFile(file, 'utf8').catch(() => undefined);
		if (now === holder) await rm(file, { force: true });
	} finally {
		await release(removal);
	}
	return true;
}

async function isAbandoned(file: string, holder: string) {
	const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
	// After a restart the number may be that of another process.
	const lastBoot = Date.now() - uptime() * 1_000;
	return mtimeMs < lastBoot || !isAlive(Number.parseInt(holder, 10));
}

function isAlive(pid: number) {
	try {
		return pid > 0 && process.kill(pid, 0);
	} catch (error) {
		return codeOf(error) === 'EPERM';
	}
}
