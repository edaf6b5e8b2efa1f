import { readdirSync, readlinkSync } from 'node:fs';

/** Linux lists what a process has open in `/proc`. */
const isLinux = process.platform === 'linux';

if (!isLinux) {
	process.emitWarning(
		'Only Linux lists open files, so the tests do not check that files are closed.',
	);
}

/** Paths of the files that this process has open; none where the system does not list them. */
export function listOpenFiles(): string[] {
	const descriptors = isLinux ? readdirSync('/proc/self/fd') : [];
	return descriptors.flatMap((descriptor) => {
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
