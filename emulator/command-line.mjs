import { parseArgs } from 'node:util';
import { DEFAULT_CREDITS } from './state.mjs';

/** An argument that cannot be; its message says which. */
export class ArgumentError extends Error {}

export const HELP = `Usage: npm run emulator -- [options]

  --port N             port to listen on (8787; 0 picks a free one)
  --host ADDRESS       address to listen on (127.0.0.1)
  --credits-sandbox N  credits in the sandbox wallet (${DEFAULT_CREDITS})
  --credits-live N     credits in the live wallet (${DEFAULT_CREDITS})
  --json               print one line of JSON when ready, and nothing else
  --with-parent        end when standard input closes
  --help               print this`;

/**
 * @param {string[]} args
 * @returns {{port: number, host: string, credits: {sandbox: number, live: number}, json: boolean,
 *   withParent: boolean, help: boolean}}
 * @throws {ArgumentError}
 */
export function readArguments(args) {
	const values = parse(args);
	return {
		port: readNumber('port', values.port, 65_535),
		host: values.host,
		credits: {
			sandbox: readNumber('credits-sandbox', values['credits-sandbox'], Number.MAX_SAFE_INTEGER),
			live: readNumber('credits-live', values['credits-live'], Number.MAX_SAFE_INTEGER),
		},
		json: values.json,
		withParent: values['with-parent'],
		help: values.help,
	};
}

/** @param {string[]} args */
function parse(args) {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string', default: '8787' },
				host: { type: 'string', default: '127.0.0.1' },
				'credits-sandbox': { type: 'string', default: String(DEFAULT_CREDITS) },
				'credits-live': { type: 'string', default: String(DEFAULT_CREDITS) },
				json: { type: 'boolean', default: false },
				'with-parent': { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		// Its further lines are advice for cases that this program does not have.
		const [sentence = ''] = String(error instanceof Error ? error.message : error).split('\n');
		throw new ArgumentError(sentence);
	}
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} most
 */
function readNumber(name, text, most) {
	const number = Number(text);
	if (!/^\d+$/.test(text) || number > most) {
		throw new ArgumentError(`--${name} must be a whole number from 0 to ${most}, not "${text}".`);
	}
	return number;
}
