import { ArgumentError, HELP, readArguments } from './command-line.mjs';
import { startEmulator } from './index.mjs';

/** Why it cannot listen, and what to do, by the code of the error. */
const REASONS = new Map([
	[
		'EADDRINUSE',
		'is in use: end the other program, or choose another --port (0 for any free port)',
	],
	['EACCES', 'needs more rights: choose a port from 1024 up'],
	['EADDRNOTAVAIL', 'is not an address of this machine: choose another --host'],
	['ENOTFOUND', 'is not a known name: choose another --host'],
]);

/**
 * Runs the emulator as a program: see HELP.
 * @param {string[]} args
 */
async function main(args) {
	const options = readArguments(args);
	if (options.help) return console.log(HELP);
	const emulator = await startEmulator(options).catch((error) => {
		const reason = REASONS.get(error.code);
		throw new ArgumentError(
			reason ? `${options.host}, port ${options.port}, ${reason}.` : error.message,
		);
	});

	const end = () => {
		// A second signal ends it at once.
		process.on('SIGTERM', () => process.exit(0)).on('SIGINT', () => process.exit(0));
		void emulator.close().finally(() => process.exit(0));
	};
	process.once('SIGTERM', end).once('SIGINT', end);
	if (options['with-parent']) process.stdin.once('close', end).resume();

	const { baseUrl, consoleUrl } = emulator;
	console.log(
		options.json
			? JSON.stringify({ baseUrl, consoleUrl })
			: `Voice and speech emulator: make-believe speech, for demos and tests.

  Base URL  ${baseUrl}
  Console   ${consoleUrl}   (create an API key there)

${options.folder ? `Keys, voices and wallets are kept in ${options.folder}.` : 'Keys, voices and wallets are lost when it ends (--folder keeps them).'} Ctrl-C ends it.`,
	);
}

main(process.argv.slice(2)).catch((error) => {
	console.error(error instanceof ArgumentError ? error.message : error);
	process.exit(1);
});
