import { join } from 'node:path';
import { nodesInN8n } from '../candidates.mts';
import { growthOf, median, mebibytes, names, ratioText, rowOf, sizeText } from '../claims.mts';
import { compare } from '../compare.mts';
import * as nodes from '../nodes.mts';
import { slowBytesPerSecond } from '../service.mts';
import { writeWav } from '../wav.mts';
import { speechByHttpRequest, speechInN8n } from './download.mts';
import { checkUpload, path as uploadPath } from './upload.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

/** One recording up and one down, over TLS, through a slow line. A stall that the node reports fails the case. */
export async function slow(fastBench: Bench): Promise<Outcome> {
	const bench = { ...fastBench, url: fastBench.service.urls.slow };
	const { options, files } = bench;
	const [warmUp, load] = [mebibytes(16), mebibytes(options.quick ? 16 : 128)];
	const fileOf = (size: number) => join(files, `${size}.wav`);
	for (const size of [warmUp, load]) await writeWav(fileOf(size), size);
	const up = (name: string) => `${name}, up`;
	const down = (name: string) => `${name}, down`;
	const { node, httpRequest } = names;
	const once = { warmUp, load, repeat: 1 };
	const rows = [
		...(await compare(bench, {
			...once,
			candidates: nodesInN8n(bench, (size: number) => [nodes.readFiles(fileOf(size))], [
				[up(node), (access) => nodes.voiceAndSpeech(access, { operation: 'speechToText' })],
				[up(httpRequest), (access) => nodes.httpRequest(access, uploadPath, nodes.filePart)],
			]),
			check: (_, size, counts) => checkUpload(counts, size),
		})),
		...(await compare(bench, {
			...{ ...once, speechBytes: (size: number) => size },
			candidates: [
				speechInN8n(bench, down(node), nodes.textToSpeech),
				speechInN8n(bench, down(httpRequest), speechByHttpRequest),
			],
		})),
	];
	const lineSeconds = load / slowBytesPerSecond;
	return {
		title: `${sizeText(load)} through a line of ${slowBytesPerSecond / 1e6} MB/s, over TLS`,
		rows,
		claims: [up(node), down(node)].flatMap((name) => [
			{ ...growthOf(rows, name), what: `memory growth, ${name}` },
			{
				what: `time relative to size / line rate, ${name}`,
				value: median(rowOf(rows, name).seconds) / lineSeconds,
				text: ratioText,
				bar: 1.1,
			},
		]),
	};
}
