import path from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_PORT } from './index.mjs';

/** A wrong argument; the message names it. */
export class ArgumentError extends Error {}

export const HELP = `Usage: npm run emulator -- [options]

  --port N        port to listen on (${DEFAULT_PORT}; 0 for any free port)
  --host ADDRESS  address to listen on (127.0.0.1)
  --folder PATH   keep keys, voices and wallets there (otherwise in memory)
  --json          print one line of JSON when ready, and nothing else
  --with-parent   end when standard input closes
  --help          print this`;

/**
 * @param {string[]} args
 * @throws {ArgumentError}
 */
export function readArguments(args) {
	const values = parse(args);
	const port = Number(values.port);
	if (!/^\d+$/.test(values.port) || port > 65_535) {
		throw new ArgumentError(`--port must be an integer from 0 to 65535, not "${values.port}".`);
	}
	return { ...values, port, folder: values.folder && path.resolve(values.folder) };
}

/** @param {string[]} args */
function parse(args) {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string', default: String(DEFAULT_PORT) },
				host: { type: 'string', default: '127.0.0.1' },
				folder: { type: 'string' },
				json: { type: 'boolean', default: false },
				'with-parent': { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		// The other lines are advice that does not apply here.
		const [sentence = ''] = String(error instanceof Error ? error.message : error).split('\n');
		throw new ArgumentError(sentence);
	}
}
