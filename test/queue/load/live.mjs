import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const probe = fileURLToPath(new URL('live-probe.cjs', import.meta.url));

/**
 * @param {string} folder
 * @returns {Record<string, string>} environment of a process whose live memory will be asked for
 */
export function liveProbe(folder) {
	return { NODE_OPTIONS: `--require "${probe}"`, VOICE_SPEECH_LIVE: folder };
}

/**
 * @param {string} folder the one that the probe was given
 * @param {number} pid
 * @returns {Promise<number>} bytes that are in use once the garbage has been collected
 * @throws when the process does not answer within a minute
 */
export async function liveMemory(folder, pid) {
	const file = join(folder, `live-${pid}`);
	await rm(file, { force: true });
	process.kill(pid, 'SIGUSR2');
	for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
		const text = await readFile(file, 'utf8').catch(() => '');
		if (text) return Number(text);
	}
	throw new Error(`Process ${pid} did not tell what it holds`);
}
