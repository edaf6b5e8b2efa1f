import { nodesInN8n } from '../candidates.mjs';
import { names, processorAgainst, timeAgainst } from '../claims.mjs';
import { compare } from '../compare.mjs';
import {
	asFile,
	batchesOf,
	minimalNode,
	httpRequest,
	textBody,
	textItems,
	textToSpeech,
} from '../nodes.mjs';

const concurrency = 20;
const path = '/ai/text-to-speech';

/**
 * Many short texts, with immediate responses of a little speech: what n8n and the nodes themselves cost.
 * @type {import('../cases.mjs').Case}
 */
export async function texts(bench) {
	const load = bench.options.quick ? 200 : 2_000;
	await bench.service.takeCounts({ speechBytes: 4_096 });
	const httpOptions = { ...batchesOf(concurrency), ...asFile };
	const rows = await compare(bench, {
		...{ warmUp: 100, load },
		candidates: nodesInN8n(bench, textItems, [
			[names.node, (access) => textToSpeech(access, { options: { concurrency } })],
			[names.httpRequest, (access) => httpRequest(access, path, textBody, httpOptions)],
			[names.minimal, (access) => minimalNode(access, path, { output: 'audio' })],
		]),
		check({ items }, count, { calls }) {
			if (calls !== count || items?.length !== count) {
				throw new Error(`Not every text was converted: ${calls} calls for ${count} items`);
			}
		},
	});
	return {
		title: `${load.toLocaleString('en')} short texts, concurrency ${concurrency}`,
		rows,
		claims: [
			timeAgainst(rows, names.node, names.minimal, 1.1),
			timeAgainst(rows, names.node, names.httpRequest, 1),
			...processorAgainst(rows, names.node, names.minimal),
			...processorAgainst(rows, names.node, names.httpRequest),
		],
	};
}
