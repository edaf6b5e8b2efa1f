import { cpus, release, totalmem, type } from 'node:os';
import { format } from 'prettier';
import { growthText, median, names, sizeText } from './claims.mts';
import type { Claim, Outcome } from './claims.mts';
import type { Host } from '../n8n/install.mts';

const table = (heads: string[], rows: string[][]) =>
	[heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** What most cases have in common: the columns of the first table. */
const shared = [
	'memory growth',
	`memory growth, ${names.httpRequest}`,
	...[names.curl, names.httpRequest, names.minimal].map((name) => `time relative to ${name}`),
];

/** @returns the value, bold if it is above its bar */
function cell(claim?: Claim): string {
	if (!claim) return '';
	const { value, text, bar } = claim;
	if (Number.isNaN(value)) return 'not measured';
	if (bar === undefined) return text(value);
	return value <= bar ? `${text(value)} (≤ ${text(bar)})` : `**${text(value)}** (≤ ${text(bar)})`;
}

function summary(outcomes: Outcome[]) {
	const rows = outcomes.map(({ name, title, claims, failure }) => [
		`\`${name}\`: ${failure === undefined ? title : '**failed**'}`,
		...shared.map((what) => cell(claims.find((claim) => claim.what === what))),
	]);
	return table(
		['case', ...shared],
		rows.filter(
			(cells, index) => outcomes[index]?.failure !== undefined || cells.slice(1).some(Boolean),
		),
	);
}

function others(outcomes: Outcome[]) {
	const rows = outcomes.flatMap(({ name, claims }) =>
		claims
			.filter(({ what }) => !shared.includes(what))
			.map((claim, index) => [index === 0 ? `\`${name}\`` : '', claim.what, cell(claim)]),
	);
	return table(['case', 'figure', 'measured'], rows);
}

/** @param text formats one */
function spread(values: number[], text: (value: number) => string = (value) => value.toFixed(2)) {
	if (values.length === 0) return '';
	return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

function details({ name, title, rows, failure }: Outcome) {
	if (failure !== undefined) return `### \`${name}\`: failed\n\n${failure}`;
	if (rows.length === 0) return '';
	const heading = `### \`${name}\`: ${title}`;
	const heads = [
		'seconds',
		'processor seconds',
		'memory growth',
		'simultaneous calls',
		'connections',
	];
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

function targetsMet(outcomes: Outcome[]) {
	const values = outcomes.flatMap(({ claims }) =>
		claims.flatMap(({ value, bar = NaN }) => (Number.isNaN(bar) ? [] : [value <= bar])),
	);
	return `${values.filter(Boolean).length} of ${values.length} targets are met.`;
}

/**
 * @param about.nodeVersion of the Node.js that runs n8n
 * @param about.loads load average before each case
 * @returns Markdown, without anything that identifies the machine
 */
export async function reportText(
	outcomes: Outcome[],
	{
		host,
		nodeVersion,
		repeat,
		nodeFlags,
		loads,
	}: { host: Host; nodeVersion: string; repeat: number; nodeFlags: string[]; loads: number[] },
): Promise<string> {
	const processors = cpus();
	const model = processors[0]?.model.trim() ?? 'unknown';
	const system = `${sizeText(totalmem())} of memory, ${type()} ${release().split('-')[0]}`;
	const text = [
		'# Results of `npm run bench`',
		`What this node needs, compared with others that do the same work. ${targetsMet(outcomes)} 1.00 × is the same time, less is better. curl is the lower bound: the same transfer without n8n. (≤ …) is our target, **bold** misses it; empty: not compared. Other cases: [below](#other-figures).`,
		summary(outcomes),
		'![Memory growth over time](memory.svg)',
		'The runs of `upload` and `download` in which memory grew most.',
		`Medians of ${repeat === 1 ? 'one run' : `${repeat} runs`} of each candidate (\`slow\`, \`queue\`: one run; \`load\`: 15 processes), in turns, against the same local server. Each run has a new n8n process, with ${nodeFlags.length === 0 ? 'no flags of Node' : `Node's flags \`${nodeFlags.join(' ')}\``}: [why](README.md#why-some-n8n-processes-stay-slow). Ratios can be compared between machines, seconds cannot. [README.md](README.md) describes how each figure is measured.`,
		`${processors.length} processor cores (${model}), ${system}, n8n ${host.version} on Node ${nodeVersion}, the server on Node ${process.versions.node}. Load average before each case (it includes the previous case): ${loads.map((load) => load.toFixed(1)).join(', ')}.`,
		'## Other figures',
		others(outcomes),
		'## All measurements',
		'Medians (lowest to highest).',
		...outcomes.map(details).filter(Boolean),
	].join('\n\n');
	return await format(text, { parser: 'markdown', useTabs: true });
}
