import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inN8n, names } from '../candidates.mjs';
import { batchesOf, filePart, httpRequest, readFiles, voiceAndSpeech } from '../nodes.mjs';
import { processorAgainst, rowOf, timeAgainst, worstGrowth } from '../outcome.mjs';
import { race } from '../race.mjs';
import { growthText, megabytes } from '../units.mjs';
import { writeWav } from '../wav.mjs';

const concurrency = 20;
const fileSize = megabytes(5);
const path = '/ai/speech-to-text';

/** @param {string} folder to be made @param {number} count of files in it, one content under many names */
async function makeFiles(folder, count) {
	await mkdir(folder, { recursive: true });
	const first = join(folder, '0.wav');
	await writeWav(first, fileSize);
	for (let place = 1; place < count; place++) await link(first, join(folder, `${place}.wav`));
	return { pattern: join(folder, '*.wav'), count };
}

/**
 * Many recordings in one run.
 * @param {import('../candidates.mjs').Bench} bench
 * @returns {Promise<import('../outcome.mjs').Outcome>}
 */
export async function files(bench) {
	const { service, options, onStep } = bench;
	const load = await makeFiles(join(bench.files, 'many'), options.quick ? 60 : 500);
	const warmUp = await makeFiles(join(bench.files, 'few'), 25);
	const rows = await race({
		...{ service, onStep, warmUp, load, repeat: options.repeat },
		candidates: [
			inN8n(bench, names.node, (reach, /** @type {typeof load} */ { pattern }) => [
				readFiles(pattern),
				voiceAndSpeech(reach, { operation: 'speechToText', options: { concurrency } }),
			]),
			inN8n(bench, names.httpRequest, (reach, /** @type {typeof load} */ { pattern }) => [
				readFiles(pattern),
				httpRequest(reach, path, filePart, batchesOf(concurrency)),
			]),
		],
		check(run, { count }, tally) {
			const arrived = tally.calls === count && tally.bytes > count * fileSize;
			if (!arrived || run.items?.length !== count) {
				throw new Error(`Not every recording arrived: ${JSON.stringify(tally)}`);
			}
		},
	});
	const { tallies } = rowOf(rows, names.node);
	const atOnce = (/** @type {number} */ value) => `${value}`;
	return {
		title: `${load.count} items of 5 MB, concurrency ${concurrency}`,
		rows,
		claims: [
			{
				what: 'memory growth',
				value: worstGrowth(rowOf(rows, names.node)),
				text: growthText,
				bar: megabytes(150),
				mark: megabytes(64),
			},
			{
				what: 'connections at once',
				value: Math.max(...tallies.map((tally) => tally.mostConnections)),
				text: atOnce,
				bar: concurrency,
			},
			{
				what: 'calls at once',
				value: Math.max(...tallies.map((tally) => tally.mostCalls)),
				text: atOnce,
				bar: concurrency,
			},
			timeAgainst(rows, names.node, names.httpRequest, { bar: 1 }),
			...processorAgainst(rows, names.node, names.httpRequest),
		],
	};
}
