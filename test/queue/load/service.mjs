import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProcess, stopProcess } from '../../../dev/n8n/processes.mjs';

/** @typedef {import('./ledger.mjs').LedgerEntry} LedgerEntry */

/**
 * The service that the workers call.
 * @typedef {object} Service
 * @property {string} baseUrl
 * @property {string} apiKey a sandbox key
 * @property {number} pid
 * @property {() => Promise<LedgerEntry[]>} calls all that came since the last `forget`
 * @property {() => Promise<void>} forget
 * @property {(settings: object) => Promise<void>} setSettings the emulator's
 * @property {() => Promise<number>} credits that are left in the sandbox wallet
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Service>} in a process of its own */
export async function startService() {
	const script = fileURLToPath(new URL('service-process.mjs', import.meta.url));
	const child = startProcess(process.execPath, [script], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const [{ baseUrl, consoleUrl, key: apiKey }] = await once(child, 'message');
	let last = 0;
	const ask = async (/** @type {object} */ what) => {
		const id = ++last;
		/** @type {Promise<LedgerEntry[]>} */
		const answer = new Promise((resolve) => {
			const onMessage = (/** @type {any} */ message) => {
				if (message.id !== id) return;
				child.off('message', onMessage);
				resolve(message.entries);
			};
			child.on('message', onMessage);
		});
		child.send({ id, ...what });
		return await answer;
	};
	return {
		baseUrl,
		apiKey,
		pid: child.pid ?? 0,
		calls: async () => await ask({}),
		forget: async () => void (await ask({ forget: true })),
		setSettings: async (settings) => void (await ask({ settings })),
		async credits() {
			const answer = await fetch(`${consoleUrl}/api/wallets`);
			const wallets = /** @type {{sandbox: {balance: number}}} */ (await answer.json());
			return wallets.sandbox.balance;
		},
		stop: async () => await stopProcess(child, 2_000),
	};
}
