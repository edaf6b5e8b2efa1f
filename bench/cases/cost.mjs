import { inN8n, names } from '../candidates.mjs';
import { batchesOf, httpRequest, texts, voiceAndSpeech } from '../nodes.mjs';
import { rowOf, times, worstGrowth } from '../outcome.mjs';
import { race } from '../race.mjs';
import { median } from '../units.mjs';

/**
 * How time and memory grow with the number of items.
 * @param {import('../candidates.mjs').Bench} bench
 * @returns {Promise<import('../outcome.mjs').Outcome>}
 */
export async function cost(bench) {
	const { service, options, onStep } = bench;
	const counts = options.quick ? [10, 100, 300] : [10, 100, 1_000, 10_000];
	/** @type {import('../race.mjs').Row[]} */
	const rows = [];
	let resultBytes = 0;
	const candidates = [
		inN8n(bench, names.node, (reach, /** @type {number} */ load) => [
			...texts(load),
			voiceAndSpeech(reach, {
				resource: 'language',
				operation: 'detectLanguage',
				inputType: 'text',
				text: '={{ $json.text }}',
				options: { concurrency: 20 },
			}),
		]),
		inN8n(bench, names.httpRequest, (reach, /** @type {number} */ load) => [
			...texts(load),
			httpRequest(
				reach,
				'/ai/language-detection',
				{ specifyBody: 'json', jsonBody: '={{ JSON.stringify({ text: $json.text }) }}' },
				batchesOf(20),
			),
		]),
	];
	for (const [place, count] of counts.entries()) {
		const isFirst = place === 0;
		const isLast = place === counts.length - 1;
		const found = await race({
			...{ service, onStep, warmUp: 100, load: count },
			// Memory never shrinks back: more runs would hide it.
			repeat: isLast ? 1 : options.repeat,
			// The same n8n for all: only the first race starts it, only the last one ends it.
			candidates: candidates.map((candidate) => ({
				...candidate,
				start: isFirst ? candidate.start : undefined,
				stop: isLast ? candidate.stop : undefined,
			})),
			check(run, load, tally) {
				if (tally.calls !== load || run.items?.length !== load) {
					throw new Error(`Not every item came out: ${JSON.stringify(tally)}`);
				}
				resultBytes = JSON.stringify(run.items).length / load;
			},
		});
		rows.push(...found.map((row) => ({ ...row, name: `${row.name}, ${label(count)}` })));
	}

	const [most = 0, fewer = 0] = counts.toReversed();
	const node = (/** @type {number} */ count) => rowOf(rows, `${names.node}, ${label(count)}`);
	const perItem = (/** @type {number} */ count) => median(node(count).seconds) / count;
	const http = rowOf(rows, `${names.httpRequest}, ${label(most)}`);
	const kilobytes = (/** @type {number} */ value) => `${(value / 1024).toFixed(1)} kB`;
	return {
		title: 'how cost grows with the number of items',
		rows,
		claims: [
			{
				what: `time for an item of ${label(most)}, of that of ${label(fewer)}`,
				value: perItem(most) / perItem(fewer),
				text: times,
				bar: 1.1,
			},
			{
				what: `memory growth for each item, from ${label(fewer)} to ${label(most)}`,
				value: (worstGrowth(node(most)) - worstGrowth(node(fewer))) / (most - fewer),
				text: kilobytes,
			},
			{
				what: `memory growth at ${label(most)}, of the ${names.httpRequest}'s`,
				value: worstGrowth(node(most)) / worstGrowth(http),
				text: times,
			},
		],
		notes: [`A result of ${names.node} has ${Math.round(resultBytes)} bytes as JSON.`],
	};
}

/** @param {number} count */
const label = (count) => `${count.toLocaleString('en')} items`;
