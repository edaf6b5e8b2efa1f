import { ArgumentError, HELP, readArguments } from './command-line.mjs';
import { startEmulator } from './index.mjs';

const REASONS = new Map([
	['EADDRINUSE', 'is taken: end the other program, or choose another one (--port 0 picks a free)'],
	['EACCES', 'may not be used by this account: choose one from 1024 up'],
	['EADDRNOTAVAIL', 'is not an address of this machine: choose another --host'],
	['ENOTFOUND', 'is not a known name: choose another --host'],
]);

/**
 * Starts the emulator as a program of its own: see HELP.
 * @param {string[]} args
 */
async function main(args) {
	const { port, host, credits, json, withParent, help } = readArguments(args);
	if (help) {
		console.log(HELP);
		return;
	}
	const emulator = await startEmulator({ port, host, credits }).catch((error) => {
		const reason = REASONS.get(error.code) ?? `cannot be listened on (${error.message})`;
		throw new ArgumentError(`${host}, port ${port}, ${reason}.`);
	});

	const end = () => {
		// A second signal must not wait for the first.
		process.on('SIGTERM', () => process.exit(0)).on('SIGINT', () => process.exit(0));
		void emulator.close().finally(() => process.exit(0));
	};
	process.once('SIGTERM', end).once('SIGINT', end);
	if (withParent) process.stdin.once('close', end).resume();

	const { baseUrl, consoleUrl } = emulator;
	if (json) console.log(JSON.stringify({ baseUrl, consoleUrl }));
	else console.log(greeting(baseUrl, consoleUrl));
}

/**
 * @param {string} baseUrl
 * @param {string} consoleUrl
 */
function greeting(baseUrl, consoleUrl) {
	return `Voice and speech emulator: make-believe speech, for demos and tests.

  Base URL  ${baseUrl}
  Console   ${consoleUrl}   (create an API key there)

Keys, voices and calls are kept in memory until it ends. Ctrl-C ends it.`;
}

main(process.argv.slice(2)).catch((error) => {
	console.error(error instanceof ArgumentError ? error.message : error);
	process.exit(1);
});
