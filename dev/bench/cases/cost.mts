import { nodesInN8n } from '../candidates.mts';
import {
	growthOf,
	httpRequestGrowth,
	median,
	names,
	ratioText,
	rowOf,
	timeRelativeTo,
} from '../claims.mts';
import { checkItems, compare } from '../compare.mts';
import * as nodes from '../nodes.mts';
import type { Row } from '../compare.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

const path = '/ai/language-detection';

const label = (count: number) => `${count.toLocaleString('en')} items`;

/** How time and memory grow with the number of items. */
export async function cost(bench: Bench): Promise<Outcome> {
	const counts = bench.options.quick ? [30, 300] : [1_000, 10_000];
	const rows: Row[] = [];
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
	const nameOf = (name: string, count = most) => `${name}, ${label(count)}`;
	const node = (count: number) => rowOf(rows, nameOf(names.node, count));
	const secondsPerItem = (count: number) => median(node(count).seconds) / count;
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
