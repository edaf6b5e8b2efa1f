import { nodesInN8n } from '../candidates.mts';
import { growthOf, httpRequestGrowth, names, relativeTo } from '../claims.mts';
import { checkItems, compare } from '../compare.mts';
import * as nodes from '../nodes.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

const path = '/ai/text-to-speech';

/** Many short texts, with immediate responses of a little speech: what n8n and the nodes themselves cost. */
export async function texts(bench: Bench): Promise<Outcome> {
	const load = bench.options.quick ? 200 : 2_000;
	const options = { concurrency: nodes.concurrency };
	const httpOptions = { ...nodes.batches, ...nodes.asFile };
	const rows = await compare(bench, {
		...{ warmUp: 100, load, speechBytes: () => 4_096 },
		candidates: nodesInN8n(bench, nodes.textItems, [
			[names.node, (access) => nodes.textToSpeech(access, { options })],
			[names.httpRequest, (access) => nodes.httpRequest(access, path, nodes.textBody, httpOptions)],
			[names.minimal, (access) => nodes.minimalNode(access, path, { output: 'audio' })],
		]),
		check: checkItems,
	});
	return {
		title: `${load.toLocaleString('en')} short texts, concurrency ${nodes.concurrency}`,
		rows,
		claims: [
			growthOf(rows, names.node),
			httpRequestGrowth(rows),
			...relativeTo(rows, names.minimal, 1.1),
			...relativeTo(rows, names.httpRequest, 1),
		],
	};
}
