import { startEmulator } from '../emulator/index.mjs';
import { Problem } from '../hosts/problem.mjs';

/** The scopes that the service documents, and the emulator's own one for cloning, which it does not. */
const scopes = [
	...['speech-to-text', 'text-to-speech', 'transcriptions', 'language-detection', 'sentiment'],
	...['intent', 'post-call-analytics', 'amd', 'voice-clone'],
];

/**
 * The service, as the demo sees it.
 * @typedef {object} Service
 * @property {string} baseUrl
 * @property {string} consoleUrl
 * @property {string} apiKey a sandbox key; never to be printed
 * @property {() => Promise<number>} credits what is left in the sandbox wallet
 * @property {() => Promise<void>} stop
 */

/**
 * Starts the emulator in this process.
 * @param {number} port
 * @returns {Promise<Service>}
 * @throws {Problem} when the port is taken
 */
export async function startService(port) {
	const emulator = await startEmulator({ port, host: '127.0.0.1' }).catch((error) => {
		if (error.code !== 'EADDRINUSE') throw error;
		throw new Problem(`Port ${port}, meant for the emulator, is already used by another program.`);
	});
	const { baseUrl, consoleUrl } = emulator;
	const { key: apiKey } = emulator.createKey({
		environment: 'sandbox',
		scopes,
		name: 'Demo',
	});
	const credits = async () => {
		const answer = await fetch(`${consoleUrl}/api/wallets`);
		const wallets = /** @type {{sandbox: {balance: number}}} */ (await answer.json());
		return wallets.sandbox.balance;
	};
	return { baseUrl, consoleUrl, apiKey, credits, stop: emulator.close };
}
