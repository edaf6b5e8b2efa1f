import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProcess, stopProcess } from '../hosts/processes.mjs';

/**
 * The local server that every candidate talks to, in a process of its own.
 * @typedef {object} Service
 * @property {string} url its address, without a slash at the end
 * @property {(settings?: {hash?: boolean, speechBytes?: number}) => Promise<import('./server/tally.mjs').Tally>} take
 *   changes its settings, and returns what it has counted since the last time
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Service>} */
export async function startService() {
	const script = fileURLToPath(new URL('server/main.mjs', import.meta.url));
	const child = startProcess(process.execPath, [script], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const [{ port }] = await once(child, 'message');
	let asked = 0;
	return {
		url: `http://127.0.0.1:${port}`,
		async take(settings) {
			const id = ++asked;
			child.send({ id, settings });
			for (;;) {
				const [message] = await once(child, 'message');
				if (message.id === id) return message.tally;
			}
		},
		stop: async () => await stopProcess(child, 1_000),
	};
}
