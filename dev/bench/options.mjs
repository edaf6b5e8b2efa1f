import { parseArgs } from 'node:util';
import { Problem } from '../n8n/problem.mjs';
import { cases } from './cases.mjs';

const caseNames = Object.keys(cases);

export const usage = `npm run bench [-- options]

Measures this package in a real n8n, next to what one would use instead of it.

  --only <cases>     of ${caseNames.join(', ')}; separated by commas
  --size <bytes>     size of the large recording, e.g. 256M (default 1G)
  --repeat <n>       number of runs of each candidate (default 3); their median counts
  --quick            small and once: shows whether it works, does not measure
  --node-flags <f>   flags for the Node.js that runs n8n, separated by spaces (ignore the ratios)
  --help             show this

A run without options writes dev/bench/results.md.
`;

/** @typedef {ReturnType<typeof readOptions>} Options as in the usage; `size` in bytes */

/**
 * @param {string} text a number of bytes, e.g. `256M`; K, M and G are powers of 1024
 * @returns {number} NaN if it is not one
 */
function parseSize(text) {
	const [, number, unit = ''] = /^(\d+)([KMG]?)$/i.exec(text) ?? [];
	return Number(number) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit.toUpperCase());
}

/**
 * @param {string[]} args behind `npm run bench --`
 * @throws {Problem} if a value is invalid
 * @throws {TypeError} if an option is unknown, from `parseArgs`
 */
export function readOptions(args) {
	const { values } = parseArgs({
		args,
		options: {
			...{ only: { type: 'string' }, size: { type: 'string' }, repeat: { type: 'string' } },
			...{
				quick: { type: 'boolean' },
				'node-flags': { type: 'string' },
				help: { type: 'boolean' },
			},
		},
	});
	const { quick = false, help = false } = values;
	const only = values.only?.split(',') ?? caseNames;
	const unknown = only.find((name) => !caseNames.includes(name));
	if (unknown !== undefined) {
		throw new Problem(`There is no case "${unknown}", only ${caseNames.join(', ')}.`);
	}
	const size = parseSize(values.size ?? (quick ? '64M' : '1G'));
	if (!(size >= 1024 ** 2)) throw new Problem('--size must be at least 1M, e.g. 256M or 1G.');
	const repeat = Number(values.repeat ?? (quick ? 1 : 3));
	if (!Number.isInteger(repeat) || repeat < 1) {
		throw new Problem('--repeat must be an integer, at least 1.');
	}
	const nodeFlags = values['node-flags']?.split(' ').filter(Boolean) ?? [];
	// Results of some cases, or of small ones, must not replace those of a complete run.
	const isComplete = !quick && nodeFlags.length === 0 && only.length === caseNames.length;
	return { only, size, repeat, quick, nodeFlags, isComplete, help };
}
