import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../hosts/processes.mjs';

/**
 * Runs a script that measures itself, in a fresh process.
 * @param {string} name of the script
 * @param {string[]} args
 * @returns {Promise<import('../race.mjs').Run>}
 */
async function runScript(name, args) {
	const script = fileURLToPath(new URL(name, import.meta.url));
	const child = startProcess(process.execPath, [script, ...args], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const ended = once(child, 'exit');
	const failed = ended.then(([code]) => {
		throw new Error(`${name} ended with code ${code}`);
	});
	failed.catch(() => {});
	const [run] = await Promise.race([once(child, 'message'), failed]);
	await ended;
	return run;
}

/**
 * A bare Node program with the same number of calls under way at once.
 * @param {'fetch' | 'http'} client Node's own fetch (undici), or node:http with an agent that keeps connections
 * @param {string} url
 * @param {number} concurrency
 * @returns {import('../race.mjs').Candidate<number>} its load is the number of calls
 */
export const bareNode = (client, url, concurrency) => ({
	name: `bare Node, ${client === 'fetch' ? 'fetch' : 'node:http'}`,
	run: async (count) =>
		await runScript('bare-main.mjs', [client, url, String(count), String(concurrency)]),
});

/**
 * A bare Node program that sends a file: what Node's own streams cost, in a process with nothing else in memory.
 * @param {string} url
 * @returns {import('../race.mjs').Candidate<{file: string}>}
 */
export const bareUpload = (url) => ({
	name: 'bare Node, node:http',
	run: async ({ file }) => await runScript('bare-upload-main.mjs', [url, file]),
});
