import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../../hosts/processes.mjs';

/**
 * A bare Node program with the same number of calls under way at once, in a fresh process.
 * @param {'fetch' | 'http'} client Node's own fetch (undici), or node:http with an agent that keeps connections
 * @param {string} url
 * @param {number} concurrency
 * @returns {import('../race.mjs').Candidate<number>} its load is the number of calls
 */
export const bareNode = (client, url, concurrency) => ({
	name: client === 'fetch' ? 'bare Node, fetch' : 'bare Node, node:http',
	async run(count) {
		const script = fileURLToPath(new URL('bare-main.mjs', import.meta.url));
		const child = startProcess(
			process.execPath,
			[script, client, url, String(count), String(concurrency)],
			{ stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
		);
		const ended = once(child, 'exit');
		const [run] = await Promise.race([
			once(child, 'message'),
			ended.then(([code]) => Promise.reject(new Error(`The bare client ended with code ${code}`))),
		]);
		await ended;
		return run;
	},
});
