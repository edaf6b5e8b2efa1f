import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../../dev/n8n/until.mjs';

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
	const look = async () => await readFile(file, 'utf8').catch(() => undefined);
	return Number(await until(look, 60_000, () => `Process ${pid} did not report its memory`));
}
