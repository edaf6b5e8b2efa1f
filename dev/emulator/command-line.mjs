import path from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_CREDITS, DEFAULT_PORT } from './index.mjs';

/** A wrong argument; the message names it. */
export class ArgumentError extends Error {}

export const HELP = `Usage: npm run emulator -- [options]

  --port N             port to listen on (${DEFAULT_PORT}; 0 for any free port)
  --host ADDRESS       address to listen on (127.0.0.1)
  --folder PATH        keep keys, voices and wallets there (otherwise in memory)
  --credits-sandbox N  credits in a new sandbox wallet (${DEFAULT_CREDITS})
  --credits-live N     credits in a new live wallet (${DEFAULT_CREDITS})
  --json               print one line of JSON when ready, and nothing else
  --with-parent        end when standard input closes
  --help               print this`;

/**
 * @param {string[]} args
 * @throws {ArgumentError}
 */
export function readArguments(args) {
	const values = parse(args);
	/** @param {'port' | 'credits-sandbox' | 'credits-live'} name @param {number} [maximum] */
	const readNumber = (name, maximum = Number.MAX_SAFE_INTEGER) => {
		const number = Number(values[name]);
		if (/^\d+$/.test(values[name]) && number <= maximum) return number;
		throw new ArgumentError(
			`--${name} must be an integer from 0 to ${maximum}, not "${values[name]}".`,
		);
	};
	return {
		...values,
		port: readNumber('port', 65_535),
		folder: values.folder && path.resolve(values.folder),
		credits: { sandbox: readNumber('credits-sandbox'), live: readNumber('credits-live') },
	};
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
				'credits-sandbox': { type: 'string', default: String(DEFAULT_CREDITS) },
				'credits-live': { type: 'string', default: String(DEFAULT_CREDITS) },
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
