import { inN8n, names } from '../candidates.mjs';
import { bareNode } from '../clients/bare.mjs';
import { batchesOf, httpRequest, textBody, texts as items, voiceAndSpeech } from '../nodes.mjs';
import { processorAgainst, timeAgainst } from '../outcome.mjs';
import { race } from '../race.mjs';
import { asFile } from './download.mjs';

const concurrency = 20;
const path = '/ai/text-to-speech';
const speechBytes = 4_096;

/**
 * Many short texts, each answered at once with a little speech: what n8n and the nodes themselves cost.
 * @param {import('../candidates.mjs').Bench} bench
 * @returns {Promise<import('../outcome.mjs').Outcome>}
 */
export async function texts(bench) {
	const { service, options, onStep } = bench;
	const count = options.quick ? 200 : 2_000;
	await service.take({ speechBytes });
	const bare = ['fetch', 'http'].map((client) =>
		bareNode(/** @type {'fetch' | 'http'} */ (client), `${service.url}${path}`, concurrency),
	);
	const rows = await race({
		...{ service, onStep, warmUp: 100, load: count, repeat: options.repeat },
		candidates: [
			inN8n(bench, names.node, (reach, /** @type {number} */ load) => [
				...items(load),
				voiceAndSpeech(reach, {
					operation: 'textToSpeech',
					text: '={{ $json.text }}',
					voiceId: 'voice',
					options: { concurrency },
				}),
			]),
			inN8n(bench, names.httpRequest, (reach, /** @type {number} */ load) => [
				...items(load),
				httpRequest(reach, path, textBody, { ...batchesOf(concurrency), ...asFile }),
			]),
			...bare,
		],
		check(run, load, tally) {
			if (tally.calls !== load || (run.items?.length ?? load) !== load) {
				throw new Error(`Not every text was spoken: ${JSON.stringify(tally)}`);
			}
		},
	});
	return {
		title: `${count.toLocaleString('en')} short texts, concurrency ${concurrency}`,
		rows,
		claims: [
			timeAgainst(rows, names.node, names.httpRequest, { bar: 1 }),
			...processorAgainst(rows, names.node, names.httpRequest),
			...bare.map(({ name }) => timeAgainst(rows, names.node, name, { mark: 1.3 })),
		],
	};
}
