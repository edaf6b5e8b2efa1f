import { cpus, release, totalmem, type } from 'node:os';
import { format } from 'prettier';
import { growthText, median, names, sizeText } from './claims.mjs';

/** @typedef {import('./claims.mjs').Outcome} Outcome */
/** @typedef {import('./claims.mjs').Claim} Claim */

/** @param {string[]} heads @param {string[][]} rows */
const table = (heads, rows) =>
	[heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What most cases have in common: the columns of the first table. */
const shared = [
	'memory growth',
	`memory growth, ${names.httpRequest}`,
	...[names.curl, names.httpRequest, names.minimal].map((name) => `time relative to ${name}`),
];

/** @param {Claim} [claim] @returns {string} the value, bold if it is above its bar */
function cell(claim) {
	if (!claim) return '';
	const { value, text, bar } = claim;
	if (Number.isNaN(value)) return 'not measured';
	if (bar === undefined) return text(value);
	return value <= bar ? `${text(value)} (≤ ${text(bar)})` : `**${text(value)}** (≤ ${text(bar)})`;
}

/** @param {Outcome[]} outcomes */
function summary(outcomes) {
	const rows = outcomes.map(({ name, title, claims }) => [
		`\`${name}\`: ${title}`,
		...shared.map((what) => cell(claims.find((claim) => claim.what === what))),
	]);
	return table(
		['case', ...shared],
		rows.filter((cells) => cells.slice(1).some(Boolean)),
	);
}

/** @param {Outcome[]} outcomes */
function others(outcomes) {
	const rows = outcomes.flatMap(({ name, claims }) =>
		claims
			.filter(({ what }) => !shared.includes(what))
			.map((claim, index) => [index === 0 ? `\`${name}\`` : '', claim.what, cell(claim)]),
	);
	return table(['case', 'figure', 'measured'], rows);
}

/** @param {number[]} values @param {(value: number) => string} [text] formats one */
function spread(values, text = (value) => value.toFixed(2)) {
	if (values.length === 0) return '';
	return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

/** @param {Outcome} outcome */
function details({ name, title, rows, failure }) {
	const heading = `### \`${name}\`: ${title}`;
	if (failure !== undefined) return `${heading}: failed\n\n${failure}`;
	if (rows.length === 0) return '';
	const heads = ['seconds', 'processor seconds', 'memory', 'simultaneous calls', 'connections'];
	const lines = rows.map(({ name: candidate, seconds, cpu, growth, counts }) => [
		candidate,
		spread(seconds),
		spread(cpu),
		spread(growth, growthText),
		`${Math.max(...counts.map(({ mostCalls }) => mostCalls))}`,
		`${Math.max(...counts.map(({ mostConnections }) => mostConnections))} open at once, ${Math.max(...counts.map(({ connections }) => connections))} in total`,
	]);
	return [heading, table(['candidate', ...heads], lines)].join('\n\n');
}

/**
 * @param {Outcome[]} outcomes
 * @param {object} about
 * @param {import('../n8n/install.mjs').Host} about.host
 * @param {string} about.nodeVersion of the Node.js that runs n8n
 * @param {number} about.repeat
 * @param {number[]} about.loads load average before each case
 * @returns {Promise<string>} Markdown, without anything that identifies the machine
 */
export async function reportText(outcomes, { host, nodeVersion, repeat, loads }) {
	const processors = cpus();
	const model = processors[0]?.model.trim() ?? 'unknown';
	const system = `${sizeText(totalmem())} of memory, ${type()} ${release().split('-')[0]}`;
	const text = [
		'# Results of `npm run bench`',
		'What this node needs, compared with others that do the same work. 1.00 × is the same time, less is faster. curl is the lower bound: the same transfer without n8n. In parentheses: our target; **bold**: missed; empty: not compared.',
		summary(outcomes),
		'![Memory growth over time](memory.svg)',
		`${repeat === 1 ? 'One run' : `${repeat} runs`} of each candidate (\`slow\`: one), in turns, against the same local server: the medians. Each run has an n8n that has just started, with Node's flag \`--no-allocation-site-pretenuring\`. Without it, uploads are slow in a third to a half of n8n's processes, by chance: \`upload-default\` shows it. Ratios can be compared between machines, seconds cannot. [README.md](README.md) describes how each figure is measured, and what the figures mean.`,
		`${processors.length} processor cores (${model}), ${system}, n8n ${host.version} on Node ${nodeVersion}, the server on Node ${process.versions.node}. Load average before each case (the case before it counts): ${loads.map((load) => load.toFixed(1)).join(', ')}.`,
		'## Other figures',
		others(outcomes),
		'## All measurements',
		...outcomes.map(details).filter(Boolean),
	].join('\n\n');
	return await format(text, { parser: 'markdown', useTabs: true });
}
