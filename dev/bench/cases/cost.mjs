import { nodesInN8n } from '../candidates.mjs';
import {
	growthOf,
	httpRequestGrowth,
	median,
	names,
	ratioText,
	rowOf,
	timeRelativeTo,
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
	const counts = bench.options.quick ? [30, 300] : [1_000, 10_000];
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
	for (const load of counts) {
		const found = await compare(bench, { warmUp: 100, load, check: checkItems, candidates });
		rows.push(...found.map((row) => ({ ...row, name: `${row.name}, ${label(load)}` })));
	}

	const [fewer = 0, most = 0] = counts;
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
				value: (median(node(most).growth) - median(node(fewer).growth)) / (most - fewer),
				text: (bytes) => `${(bytes / 1024).toFixed(1)} KiB`,
			},
		],
	};
}
