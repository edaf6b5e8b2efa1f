import { parseArgs } from 'node:util';
import { Problem } from '../lib/problem.mts';
import { cases } from './cases.mts';

const caseNames = Object.keys(cases);

/** Without it, chance decides about each n8n process whether uploads are slow in it (README.md). */
const steadyFlags = ['--no-allocation-site-pretenuring'];

export const usage = `npm run bench [-- options]

Measures this package in a real n8n, next to what one would use instead of it.

  --only=<cases>      separated by commas: ${caseNames.join(', ')}
  --quick             small loads, once, in one n8n: shows whether it works, its figures mean nothing
  --node-flags=<f>    flags for the Node.js that runs n8n, separated by spaces, instead of
                      ${steadyFlags.join(' ')}
  --help              show this

A run without options writes dev/bench/results.md and memory.svg.
`;

/** as in the usage; `size` of the large recording in bytes */
export type Options = ReturnType<typeof readOptions>;

/**
 * @param args behind `npm run bench --`
 * @throws {Problem} if there is no such case
 * @throws {TypeError} if an option is unknown, from `parseArgs`
 */
export function readOptions(args: string[]) {
	const { values } = parseArgs({
		args,
		options: {
			...{ only: { type: 'string' }, 'node-flags': { type: 'string' } },
			...{ quick: { type: 'boolean' }, help: { type: 'boolean' } },
		},
	});
	const { quick = false, help = false } = values;
	const only = values.only?.split(',') ?? caseNames;
	const unknown = only.find((name) => !caseNames.includes(name));
	if (unknown !== undefined) {
		throw new Problem(`Unknown case "${unknown}". Cases: ${caseNames.join(', ')}.`);
	}
	const [size, repeat] = quick ? [64 * 1024 ** 2, 1] : [1024 ** 3, 3];
	const nodeFlags = values['node-flags']?.split(' ').filter(Boolean) ?? steadyFlags;
	// Results of some cases, or of small ones, must not replace those of a complete run.
	const isComplete = !quick && nodeFlags === steadyFlags && only.length === caseNames.length;
	return { only, size, repeat, quick, nodeFlags, isComplete, help };
}
