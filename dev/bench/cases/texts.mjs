import { nodesInN8n } from '../candidates.mjs';
import {
	growthOf,
	httpRequestGrowth,
	names,
	processorRelativeTo,
	timeRelativeTo,
} from '../claims.mjs';
import { compare } from '../compare.mjs';
import * as nodes from '../nodes.mjs';

const path = '/ai/text-to-speech';

/**
 * Many short texts, with immediate responses of a little speech: what n8n and the nodes themselves cost.
 * @type {import('../cases.mjs').Case}
 */
export async function texts(bench) {
	const load = bench.options.quick ? 200 : 2_000;
	await bench.service.takeCounts({ speechBytes: 4_096 });
	const httpOptions = { ...nodes.batches, ...nodes.asFile };
	const rows = await compare(bench, {
		...{ warmUp: 100, load },
		candidates: nodesInN8n(bench, nodes.textItems, [
			[names.node, (access) => nodes.textToSpeech(access, { options: nodes.ownOptions })],
			[names.httpRequest, (access) => nodes.httpRequest(access, path, nodes.textBody, httpOptions)],
			[names.minimal, (access) => nodes.minimalNode(access, path, { output: 'audio' })],
		]),
		check({ items }, count, { calls }) {
			if (calls !== count || items?.length !== count) {
				throw new Error(`Not every text was converted: ${calls} calls for ${count} items`);
			}
		},
	});
	return {
		title: `${load.toLocaleString('en')} short texts, concurrency ${nodes.concurrency}`,
		rows,
		claims: [
			growthOf(rows, names.node),
			httpRequestGrowth(rows),
			timeRelativeTo(rows, names.node, names.minimal, 1.1),
			timeRelativeTo(rows, names.node, names.httpRequest, 1),
			...processorRelativeTo(rows, names.node, names.minimal),
			...processorRelativeTo(rows, names.node, names.httpRequest),
		],
	};
}
