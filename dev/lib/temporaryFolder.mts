import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { killGroups } from './processes.mts';

/** @returns path of a new folder, which is deleted when this process ends */
export function createTemporaryFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'voice-speech-'));
	deleteAtExit(folder);
	return folder;
}

/** Deletes a folder when this process ends, also if a signal such as Ctrl-C ends it, which skips `finally`. */
export function deleteAtExit(folder: string) {
	process.once('exit', () => {
		// What still runs could write into the folder while it is deleted.
		killGroups();
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}
