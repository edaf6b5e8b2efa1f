import { readdirSync, readlinkSync } from 'node:fs';

/** Paths of the files that this process has open; empty on systems without `/proc`. */
export function listOpenFiles(): string[] {
	if (process.platform !== 'linux') return [];
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
