import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nodesInN8n } from '../candidates.mjs';
import { growthOf, megabytes, names, processorAgainst, rowOf, timeAgainst } from '../claims.mjs';
import { compare } from '../compare.mjs';
import {
	batchesOf,
	filePart,
	minimalNode,
	httpRequest,
	readFiles,
	voiceAndSpeech,
} from '../nodes.mjs';
import { writeWav } from '../wav.mjs';

const concurrency = 20;
const fileSize = megabytes(5);
const path = '/ai/speech-to-text';

/** @param {string} folder @param {number} count of files in it, with the same content */
async function makeFiles(folder, count) {
	await mkdir(folder, { recursive: true });
	const first = join(folder, '0.wav');
	await writeWav(first, fileSize);
	for (let index = 1; index < count; index++) await link(first, join(folder, `${index}.wav`));
	return { pattern: join(folder, '*.wav'), count };
}

/**
 * Many recordings in one run.
 * @type {import('../cases.mjs').Case}
 */
export async function files(bench) {
	const load = await makeFiles(join(bench.files, 'many'), bench.options.quick ? 60 : 500);
	const warmUp = await makeFiles(join(bench.files, 'few'), 25);
	const rows = await compare(bench, {
		...{ load, warmUp },
		candidates: nodesInN8n(bench, ({ pattern }) => [readFiles(pattern)], [
			[
				names.node,
				(access) => voiceAndSpeech(access, { operation: 'speechToText', options: { concurrency } }),
			],
			[names.httpRequest, (access) => httpRequest(access, path, filePart, batchesOf(concurrency))],
			[names.minimal, (access) => minimalNode(access, path, { input: 'file' })],
		]),
		check(run, { count }, { calls, bytes }) {
			if (calls !== count || bytes <= count * fileSize || run.items?.length !== count) {
				throw new Error(`Recordings are missing: ${calls} of ${count} arrived, ${bytes} bytes`);
			}
		},
	});
	const { counts } = rowOf(rows, names.node);
	return {
		title: `${load.count} items of 5 MB, concurrency ${concurrency}`,
		rows,
		claims: [
			growthOf(rows, names.node),
			.../** @type {const} */ (['mostConnections', 'mostCalls']).map((name) => ({
				what: `simultaneous ${name.slice(4).toLowerCase()}`,
				value: Math.max(...counts.map((count) => count[name])),
				text: String,
				bar: concurrency,
			})),
			timeAgainst(rows, names.node, names.httpRequest, 1),
			timeAgainst(rows, names.node, names.minimal),
			...processorAgainst(rows, names.node, names.httpRequest),
			...processorAgainst(rows, names.node, names.minimal),
		],
	};
}
