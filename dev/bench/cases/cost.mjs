import { nodesInN8n } from '../candidates.mjs';
import {
	growthOf,
	httpRequestGrowth,
	median,
	names,
	ratioText,
	rowOf,
	timeRelativeTo,
	worstGrowth,
} from '../claims.mjs';
import { checkItems, compare } from '../compare.mjs';
import * as nodes from '../nodes.mjs';

const path = '/ai/language-detection';

/** @param {number} count */
const label = (count) => `${count.toLocaleString('en')} items`;

/**
 * How time and memory grow with the number of items.
 * @type {import('../cases.mjs').Case}
 */
export async function cost(bench) {
	const counts = bench.options.quick ? [10, 100, 300] : [10, 100, 1_000, 10_000];
	/** @type {import('../compare.mjs').Row[]} */
	const rows = [];
	const options = { concurrency: nodes.concurrency };
	const parameters = {
		...{ resource: 'language', operation: 'detectLanguage' },
		...{ inputType: 'text', text: '={{ $json.text }}', options },
	};
	const body = { specifyBody: 'json', jsonBody: '={{ JSON.stringify({ text: $json.text }) }}' };
	const candidates = nodesInN8n(bench, nodes.textItems, [
		[names.node, (access) => nodes.voiceAndSpeech(access, parameters)],
		[names.httpRequest, (access) => nodes.httpRequest(access, path, body, nodes.batches)],
		[names.minimal, (access) => nodes.minimalNode(access, path)],
	]);
	try {
		for (const { start } of candidates) await start?.();
		for (const count of counts) {
			const found = await compare(bench, {
				...{ warmUp: 100, load: count, check: checkItems },
				// While the process is busy, V8 keeps the memory of an earlier run: more runs would hide the growth.
				repeat: count === counts.at(-1) ? 1 : bench.options.repeat,
				// Each candidate has one n8n for all counts.
				candidates: candidates.map(({ name, run }) => ({ name, run })),
			});
			rows.push(...found.map((row) => ({ ...row, name: `${row.name}, ${label(count)}` })));
		}
	} finally {
		for (const { stop } of candidates) await stop?.();
	}

	const [most = 0, fewer = 0] = counts.toReversed();
	const nameOf = (/** @type {string} */ name, count = most) => `${name}, ${label(count)}`;
	const node = (/** @type {number} */ count) => rowOf(rows, nameOf(names.node, count));
	const secondsPerItem = (/** @type {number} */ count) => median(node(count).seconds) / count;
	return {
		title: `${most.toLocaleString('en')} short texts to language detection`,
		rows,
		claims: [
			{
				what: `time per item, ${label(most)} relative to ${label(fewer)}`,
				value: secondsPerItem(most) / secondsPerItem(fewer),
				text: ratioText,
				bar: 1.1,
			},
			...[names.httpRequest, names.minimal].map((other) => ({
				...timeRelativeTo(rows, nameOf(names.node), nameOf(other)),
				what: `time relative to ${other}`,
			})),
			growthOf(rows, nameOf(names.node)),
			httpRequestGrowth(rows, nameOf(names.httpRequest)),
			{
				what: `memory growth per item, from ${label(fewer)} to ${label(most)}`,
				value: (worstGrowth(node(most)) - worstGrowth(node(fewer))) / (most - fewer),
				text: (bytes) => `${(bytes / 1024).toFixed(1)} KiB`,
			},
		],
	};
}
