import { parseArgs } from 'node:util';
import { Problem } from '../hosts/problem.mjs';
import { parseSize } from './units.mjs';

/** The cases, in the order in which they run. */
export const caseNames = ['upload', 'download', 'url', 'files', 'texts', 'cost', 'load'];

export const usage = `npm run bench [-- options]

Measures this package in a real n8n, side by side with what one would use instead of it.

  --only <cases>   of ${caseNames.join(', ')}; several with commas between them
  --size <bytes>   of the large recording, like 256M (default 1G)
  --repeat <n>     how often each candidate runs (default 3; its median counts)
  --quick          small and once: to see whether it works, not to measure
  --profile        also tell where n8n spends its time (slower: no ratio of such a run counts)
  --node-flags <f> flags for the Node that runs n8n, with spaces between them (no ratio of such a run counts)
  --keep           do not write bench/results.md
  --help           show this
`;

/**
 * @typedef {object} Options
 * @property {string[]} only names of the cases to run
 * @property {number} size of the large recording, in bytes
 * @property {number} repeat
 * @property {boolean} quick
 * @property {boolean} profile
 * @property {string[]} nodeFlags for the Node that runs n8n
 * @property {boolean} keep leave the results of the last run as they are
 * @property {boolean} help
 */

/**
 * @param {string[]} args what stands after `npm run bench --`
 * @returns {Options}
 * @throws {Problem} when an option is unknown or makes no sense
 */
export function readOptions(args) {
	const values = parse(args);
	const quick = values.quick ?? false;
	const only = values.only?.split(',') ?? caseNames;
	const unknown = only.find((name) => !caseNames.includes(name));
	if (unknown !== undefined) {
		throw new Problem(`There is no case "${unknown}", only ${caseNames.join(', ')}.`);
	}
	const size = parseSize(values.size ?? (quick ? '64M' : '1G'));
	if (size === undefined || size < 1024 ** 2) {
		throw new Problem('--size must be a number of bytes from 1M on, like 256M or 1G.');
	}
	const repeat = Number(values.repeat ?? (quick ? 1 : 3));
	if (!Number.isInteger(repeat) || repeat < 1) {
		throw new Problem('--repeat must be a whole number from 1 on.');
	}
	const { profile = false, help = false } = values;
	const nodeFlags = values['node-flags']?.split(' ').filter(Boolean) ?? [];
	// A part of the cases, or small ones, must not take the place of the whole.
	const whole = !quick && !profile && nodeFlags.length === 0 && only.length === caseNames.length;
	return { only, size, repeat, quick, profile, nodeFlags, keep: values.keep ?? !whole, help };
}

/** @param {string[]} args */
function parse(args) {
	try {
		return parseArgs({
			args,
			options: {
				only: { type: 'string' },
				size: { type: 'string' },
				repeat: { type: 'string' },
				quick: { type: 'boolean' },
				profile: { type: 'boolean' },
				'node-flags': { type: 'string' },
				keep: { type: 'boolean' },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		const [reason] = String(error instanceof Error ? error.message : error).split('. ');
		throw new Problem(`${reason}.\n\n${usage}`);
	}
}
