import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nodesInN8n } from '../candidates.mts';
import { growthOf, httpRequestGrowth, mebibytes, names, relativeTo, rowOf } from '../claims.mts';
import { checkItems, compare } from '../compare.mts';
import * as nodes from '../nodes.mts';
import { writeWav } from '../wav.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

const fileSize = mebibytes(5);
const path = '/ai/speech-to-text';

/** @param count of files in it, with the same content */
async function makeFiles(folder: string, count: number) {
	await mkdir(folder, { recursive: true });
	const first = join(folder, '0.wav');
	await writeWav(first, fileSize);
	for (let index = 1; index < count; index++) await link(first, join(folder, `${index}.wav`));
	return { pattern: join(folder, '*.wav'), count };
}

/** Many recordings in one run. */
export async function files(bench: Bench): Promise<Outcome> {
	const load = await makeFiles(join(bench.files, 'many'), bench.options.quick ? 60 : 500);
	const warmUp = await makeFiles(join(bench.files, 'few'), 25);
	const options = { concurrency: nodes.concurrency };
	const rows = await compare(bench, {
		...{ load, warmUp },
		candidates: nodesInN8n(bench, ({ pattern }: typeof load) => [nodes.readFiles(pattern)], [
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
			...(['mostConnections', 'mostCalls'] as const).map((name) => ({
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
