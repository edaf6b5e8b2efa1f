import { parseArgs } from 'node:util';

import { readErrorCode, runMain, UserFacingError } from '../lib/errors.mts';
import { disclaimer } from './disclaimer.mts';
import { startEmulator } from './server.mts';

const endSignals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

/** Why the emulator cannot listen, and what to do, by the code of the error. */
const reasons: Record<string, string | undefined> = {
	EADDRINUSE: 'is in use: end the other program, or choose another --port (0 for any free port)',
	EACCES: 'needs more rights: choose a port from 1024 up',
	EADDRNOTAVAIL: 'is not an address of this machine: choose another --host',
	ENOTFOUND: 'is not a known name: choose another --host',
};

function readArguments() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8787' },
			host: { type: 'string', default: '127.0.0.1' },
			folder: { type: 'string' },
		},
	});
	const port = Number(values.port);
	if (!/^\d+$/.test(values.port) || port > 65_535) {
		throw new UserFacingError(`--port must be an integer from 0 to 65535, not "${values.port}".`);
	}
	return { ...values, port };
}

/** Runs the emulator as a program. README.md describes its options. */
async function main() {
	const { port, host, folder } = readArguments();
	const { baseUrl, close } = await startEmulator(port, host, folder).catch((error: unknown) => {
		const reason = reasons[readErrorCode(error)];
		throw reason ? new UserFacingError(`${host}, port ${port}, ${reason}.`) : error;
	});

	const end = async () => {
		// A second signal ends the emulator at once.
		for (const signal of endSignals) process.on(signal, () => process.exit(0));
		await close();
		process.exit(0);
	};
	for (const signal of endSignals) process.once(signal, end);
	const consoleUrl = `${baseUrl}/console`;
	// emulatorProcess.mts waits for this message. The emulator ends with the process that started it.
	process.once('disconnect', end);
	process.send?.({ baseUrl, consoleUrl });

	const storage = folder
		? `Keys, voices and wallets are kept in ${folder}.`
		: 'Keys, voices and wallets are lost when it ends (--folder keeps them).';
	console.log(`Emulator of the voice and speech service, for demos and tests.

${disclaimer}

  Base URL  ${baseUrl}
  Console   ${consoleUrl}   (create an API key there)

${storage} Ctrl-C ends it.`);
}

await runMain(main);
