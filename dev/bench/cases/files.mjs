import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nodesInN8n } from '../candidates.mjs';
import { growthOf, httpRequestGrowth, mebibytes, names, relativeTo, rowOf } from '../claims.mjs';
import { checkItems, compare } from '../compare.mjs';
import * as nodes from '../nodes.mjs';
import { writeWav } from '../wav.mjs';

const fileSize = mebibytes(5);
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
	const options = { concurrency: nodes.concurrency };
	const rows = await compare(bench, {
		...{ load, warmUp },
		candidates: nodesInN8n(bench, ({ pattern }) => [nodes.readFiles(pattern)], [
			[
				names.node,
				(access) => nodes.voiceAndSpeech(access, { operation: 'speechToText', options }),
			],
			[
				names.httpRequest,
				(access) => nodes.httpRequest(access, path, nodes.filePart, nodes.batches),
			],
			[names.minimal, (access) => nodes.minimalNode(access, path, { input: 'file' })],
		]),
		check(run, { count }, counts) {
			checkItems(run, count, counts);
			if (counts.bytes <= count * fileSize) throw new Error(`Only ${counts.bytes} bytes arrived`);
		},
	});
	const { counts } = rowOf(rows, names.node);
	return {
		title: `${load.count} recordings of 5 MiB, concurrency ${nodes.concurrency}`,
		rows,
		claims: [
			growthOf(rows, names.node),
			httpRequestGrowth(rows),
			.../** @type {const} */ (['mostConnections', 'mostCalls']).map((name) => ({
				what: `simultaneous ${name.slice(4).toLowerCase()}`,
				value: Math.max(...counts.map((count) => count[name])),
				text: String,
				bar: nodes.concurrency,
			})),
			...relativeTo(rows, names.httpRequest, 1),
			...relativeTo(rows, names.minimal),
		],
	};
}
