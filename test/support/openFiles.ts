/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readdirSync, readlinkSync } from 'node:fs';

/** Paths of the files that this process has open; empty on systems without `/proc`. */
export function openFiles(): string[] {
	if (process.platform !== 'linux') return [];
	return readdirSync('/proc/self/fd').flatMap((descriptor) => {
		try {
			return [readlinkSync(`/proc/self/fd/${descriptor}`)];
		} catch {
			return []; // closed meanwhile: the descriptor that reads this list
		}
	});
}

/** What this process has open, by kind. */
export function openHandles(): Record<string, number> {
	const handles: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
	const listeners = process
		.eventNames()
		.reduce((sum, name) => sum + process.listenerCount(name), 0);
	return { ...handles, files: openFiles().length, listeners };
}
