import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { ratioText } from '../claims.mjs';

/** @typedef {import('./drain.mjs').Drain} Drain */

const page = fileURLToPath(new URL('../README.md', import.meta.url));
const block = /(<!-- measured: begin -->\n)[^]*?(\n<!-- measured: end -->)/;

/**
 * @param {{busy: Drain[], waiting: Drain[], waitSeconds: number, concurrency: number, version: string}} results
 * @returns {string} Markdown
 */
export function reportText({ busy, waiting, waitSeconds, concurrency, version }) {
	const cores = cpus().length;
	const one = (/** @type {Drain[]} */ drains) => drains[0]?.perSecond ?? NaN;
	const rows = busy.map((drain, index) => {
		const other = waiting[index];
		const { machine, ...own } = drain.used;
		const ownSeconds = Object.values(own).reduce((sum, seconds) => sum + seconds, 0);
		return `| ${[
			drain.workers,
			ratioText(drain.perSecond / one(busy)),
			percent(ownSeconds / (cores * drain.seconds)),
			percent(machine / (cores * drain.seconds)),
			other ? ratioText(other.perSecond / one(waiting)) : '',
			other ? percent((other.perSecond * waitSeconds) / (drain.workers * concurrency)) : '',
		].join(' | ')} |`;
	});
	const total = (/** @type {(drain: Drain) => number} */ of) =>
		busy.reduce((sum, drain) => sum + of(drain), 0) /
		busy.reduce((sum, { count }) => sum + count, 0);
	const milliseconds = (/** @type {number} */ seconds) => `${Math.round(seconds * 1_000)} ms`;
	return `n8n ${version}, ${cores} cores, ${concurrency} executions at once in a worker, ${busy[0]?.count} executions (${waiting[0]?.count} where the service waits); the first and the last tenth are left out. One run.

| Workers | Throughput, service answers at once | Cores used by this n8n | Cores used by all programs | Throughput, each call waits ${waitSeconds / 2} s | Of what the arithmetic allows |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Processor time for one execution (one upload, two calls): worker ${milliseconds(total(({ used }) => used.workers))}, PostgreSQL ${milliseconds(total(({ used }) => used.postgres))}, Redis ${milliseconds(total(({ used }) => used.redis))}, main ${milliseconds(total(({ used }) => used.main))}; before that, to take the upload in, webhook process ${milliseconds(total(({ accepting }) => accepting.webhook))} and PostgreSQL ${milliseconds(total(({ accepting }) => accepting.postgres))}.
`;
}

/**
 * Replaces the block of figures in the page.
 * @param {string} text
 * @returns {Promise<void>}
 */
export async function writeFigures(text) {
	const before = await readFile(page, 'utf8');
	if (!block.test(before)) throw new Error(`${page} has no block for the figures`);
	const after = before.replace(block, (_whole, begin, end) => `${begin}\n${text}${end}`);
	const options = { ...(await resolveConfig(page)), filepath: page };
	await writeFile(page, await format(after, options));
}

/** @param {number} value */
const percent = (value) => `${Math.round(value * 100)} %`;
