import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { acquireLock } from '../lib/lock.mts';
import { readErrorCode, UserFacingError } from '../lib/errors.mts';
import type { Environment, SavedKey } from './keys.mts';

export interface Voice {
	/** In the form `vc_<id>`. */
	voiceId: string;
	/** From 0 (deep) to 1 (high). */
	pitch: number;
}

/** What an emulator keeps in a folder between two starts. */
export interface SavedState {
	keys: SavedKey[];
	voices: Voice[];
	/** The credits in each wallet. */
	wallets: Record<Environment, number>;
}

const createSavedState = (): SavedState => ({
	keys: [],
	voices: [],
	wallets: { sandbox: 10_000, live: 10_000 },
});

/**
 * @param folder undefined to keep nothing
 * @param lockLimitMs how long to wait for the folder; the lock of an emulator that was killed expires in less
 * @returns what the last run saved, which the caller changes in place and then saves. `save` throws if it cannot write.
 * @throws {UserFacingError} if the folder cannot be written, another emulator uses it, or the file is damaged. A damaged
 * file is not overwritten.
 */
export async function openStorage(folder: string | undefined, lockLimitMs = 7_000) {
	if (folder === undefined) {
		return { saved: createSavedState(), save() {}, async close() {} };
	}
	// If this function throws, for example because of a damaged file, the end of the process releases the folder.
	const release = await lockFolder(folder, lockLimitMs);
	let isReleased = false;
	const file = path.join(folder, 'emulator.json');
	const saved = existsSync(file) ? readSaved(file) : createSavedState();
	function save() {
		// A call that is still in progress must not overwrite what the next emulator saves.
		if (isReleased) return;
		const text = JSON.stringify(saved, null, '\t');
		// A crash or a full disk must not leave half a file, so the text is first written to another one.
		writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
		renameSync(`${file}.new`, file);
	}
	async function close() {
		try {
			save();
		} finally {
			isReleased = true;
			await release();
		}
	}
	return { saved, save, close };
}

/** @returns a function that releases the folder */
async function lockFolder(folder: string, lockLimitMs: number): Promise<() => Promise<void>> {
	try {
		await mkdir(folder, { recursive: true });
		return await acquireLock(path.join(folder, 'running.lock'), {
			signal: AbortSignal.timeout(lockLimitMs),
		});
	} catch (error) {
		if ((error as Error).name === 'TimeoutError') {
			throw new UserFacingError(
				`Another emulator uses ${folder}: end it, or choose another folder.`,
			);
		}
		throw new UserFacingError(
			`The emulator cannot write to ${folder} (${readErrorCode(error)}): choose another folder.`,
		);
	}
}

function readSaved(file: string): SavedState {
	const content = readFileSync(file, 'utf8');
	try {
		const { keys, voices, wallets } = JSON.parse(content) as Partial<SavedState>;
		if (keys && voices && wallets) return { keys, voices, wallets };
	} catch {
		// Text that is not JSON gets the same message as JSON without these fields.
	}
	throw new UserFacingError(`${file} is damaged. Delete it, or choose another folder.`);
}
