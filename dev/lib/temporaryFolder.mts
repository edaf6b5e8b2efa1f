import { rmSync } from 'node:fs';

import { killGroups } from './processes.mts';

/** Deletes a folder when this process ends, also if a signal such as Ctrl-C ends it, which skips `finally`. */
export function deleteAtExit(folder: string) {
	process.once('exit', () => {
		// What still runs could write into the folder while it is deleted.
		killGroups();
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}
