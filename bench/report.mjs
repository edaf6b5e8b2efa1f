import { cpus, release, totalmem, type } from 'node:os';
import { format } from 'prettier';
import { growthText, median, sizeText } from './units.mjs';

/** @typedef {import('./outcome.mjs').Outcome} Outcome */
/** @typedef {import('./outcome.mjs').Claim} Claim */

/** @param {string[]} cells */
const row = (cells) => `| ${cells.join(' | ')} |`;

/** @param {string[]} heads @param {string[][]} rows */
const table = (heads, rows) =>
	[row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');

/** @param {Claim} claim @param {number | undefined} limit */
function verdict({ value, text }, limit) {
	if (limit === undefined) return '';
	if (Number.isNaN(value)) return `${text(limit)}: not measured`;
	return `${text(limit)}: ${value <= limit ? 'met' : '**missed**'}`;
}

/** @param {Outcome[]} outcomes */
function summary(outcomes) {
	const rows = outcomes.flatMap(({ title, claims }) =>
		claims.map((claim, place) => [
			place === 0 ? title : '',
			claim.what,
			Number.isNaN(claim.value) ? 'not measured' : claim.text(claim.value),
			verdict(claim, claim.bar),
			verdict(claim, claim.mark),
		]),
	);
	return table(['case', 'what', 'measured', 'bar', 'mark'], rows);
}

/** @param {number[]} values */
const spread = (values) =>
	values.length === 0
		? ''
		: `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;

/** @param {Outcome} outcome */
function details({ title, rows, notes = [], failures }) {
	if (failures) return [`### ${title}: failed`, ...failures].join('\n\n');
	if (rows.length === 0) return '';
	const heads = [
		'candidate',
		'seconds',
		'processor seconds',
		'memory',
		'calls at once',
		'connections',
	];
	const lines = rows.map(({ name, seconds, cpu, growth, tallies }) => [
		name,
		spread(seconds),
		spread(cpu),
		growth.length > 0 ? growthText(Math.max(...growth)) : '',
		`${Math.max(...tallies.map((tally) => tally.mostCalls))}`,
		`${Math.max(...tallies.map((tally) => tally.mostConnections))} at once, ${Math.max(...tallies.map((tally) => tally.connections))} in all`,
	]);
	return [`### ${title}`, table(heads, lines), ...notes].join('\n\n');
}

/**
 * @param {import('../hosts/install.mjs').Host} host
 * @param {string} nodeVersion of the Node that runs n8n
 * @returns {string} one line, without anything that names the machine
 */
function machine({ version }, nodeVersion) {
	const processors = cpus();
	const model = processors[0]?.model.trim() ?? 'unknown';
	return `${processors.length} × ${model}, ${sizeText(totalmem())} of memory, ${type()} ${release().split('-')[0]}, n8n ${version} on Node ${nodeVersion}, the server and the bare clients on Node ${process.versions.node}.`;
}

/**
 * @param {Outcome[]} outcomes
 * @param {{host: import('../hosts/install.mjs').Host, nodeVersion: string, repeat: number, loads: number[]}} about
 * @returns {Promise<string>} everything, as Markdown
 */
export async function reportText(outcomes, { host, nodeVersion, repeat, loads }) {
	const text = [
		'# Results of `npm run bench`',
		`${machine(host, nodeVersion)} Load average when a case began: ${loads.map((load) => load.toFixed(1)).join(', ')}.`,
		`${repeat === 1 ? 'One run' : `${repeat} runs`} of each candidate, in turns, all against the same local server: the median time counts, and the worst memory growth. Trust the ratios, not the seconds. README.md beside this file says how each figure is taken.`,
		summary(outcomes),
		'## In detail',
		...outcomes.map(details).filter(Boolean),
	].join('\n\n');
	return await format(text, { parser: 'markdown', useTabs: true });
}
