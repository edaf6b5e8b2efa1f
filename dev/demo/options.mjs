import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Problem } from '../n8n/problem.mjs';

const defaultFolder = join(dirname(fileURLToPath(import.meta.url)), '../..', '.demo');

export const usage = `npm run demo [-- options]

Runs this package in a real n8n against the emulator, and shows what comes out.

  --once                   show it and end, with exit code 0 if everything works
  --port <number>          n8n's port (default 5678)
  --emulator-port <number> the emulator's port (default 8787)
  --outside-port <number>  the port of the mock server for other systems (default 8788)
  --folder <path>          where it keeps its data (default .demo)
  --fresh                  delete the data of earlier runs, and only that
  --help                   show this
`;

/**
 * @typedef {{once: boolean, fresh: boolean, help: boolean, folder: string, port: number, emulatorPort: number, outsidePort: number}} Options
 * `folder` is an absolute path
 */

/**
 * @param {string[]} args the arguments after `npm run demo --`
 * @returns {Options}
 * @throws {Problem} if an option is unknown or not a port
 */
export function readOptions(args) {
	const { once = false, fresh = false, help = false, ...values } = parse(args);
	/** @param {'port' | 'emulator-port' | 'outside-port'} option @param {string} fallback */
	const readPort = (option, fallback) => {
		const value = values[option] ?? fallback;
		const port = Number(value);
		if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
		throw new Problem(`--${option} must be a port from 1 to 65535, not "${value}".`);
	};
	return {
		...{ once, fresh, help },
		folder: resolve(values.folder ?? defaultFolder),
		port: readPort('port', '5678'),
		emulatorPort: readPort('emulator-port', '8787'),
		outsidePort: readPort('outside-port', '8788'),
	};
}

/** @param {string[]} args */
function parse(args) {
	const [flag, text] = [
		{ type: /** @type {const} */ ('boolean') },
		{ type: /** @type {const} */ ('string') },
	];
	const options = {
		...{ once: flag, fresh: flag, help: flag },
		...{ folder: text, port: text, 'emulator-port': text, 'outside-port': text },
	};
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		const [reason] = String(error instanceof Error ? error.message : error).split('. ');
		throw new Problem(`${reason}.\n\n${usage}`);
	}
}
