import { readdirSync, readlinkSync } from 'node:fs';

/** Whether this system lists what a process has open, as Linux does in `/proc`. Elsewhere, tests leave out these checks. */
export const canListOpenFiles = process.platform === 'linux';

if (!canListOpenFiles) {
	process.emitWarning(
		'Only Linux lists open files, so the tests do not check that files are closed.',
	);
}

/**
 * Paths of the files that this process has open.
 *
 * @throws if the system does not list them, because an empty list would let the checks pass
 */
export function listOpenFiles(): string[] {
	if (!canListOpenFiles) throw new Error('This system does not list open files');
	return readdirSync('/proc/self/fd').flatMap((descriptor) => {
		try {
			return [readlinkSync(`/proc/self/fd/${descriptor}`)];
		} catch {
			// The descriptor that read this list was closed meanwhile.
			return [];
		}
	});
}

/** Those of {@link listOpenFiles} that n8n stores for this test file. */
export function listOpenStoredFiles(): string[] {
	return listOpenFiles().filter((file) => file.includes('voice-speech-test-'));
}
