import { join } from 'node:path';
import { nodesInN8n } from '../candidates.mjs';
import { growthOf, median, mebibytes, names, ratioText, rowOf, sizeText } from '../claims.mjs';
import { compare } from '../compare.mjs';
import * as nodes from '../nodes.mjs';
import { slowBytesPerSecond } from '../service.mjs';
import { writeWav } from '../wav.mjs';
import { speechByHttpRequest, speechInN8n } from './download.mjs';
import { checkUpload, path as uploadPath } from './upload.mjs';

/**
 * One recording up and one down, over TLS, through a slow line. A stall that the node reports fails the case.
 * @type {import('../cases.mjs').Case}
 */
export async function slow(fastBench) {
	const bench = { ...fastBench, url: fastBench.service.urls.slow };
	const { options, files } = bench;
	const [warmUp, load] = [mebibytes(16), mebibytes(options.quick ? 16 : 128)];
	const fileOf = (/** @type {number} */ size) => join(files, `${size}.wav`);
	for (const size of [warmUp, load]) await writeWav(fileOf(size), size);
	const up = (/** @type {string} */ name) => `${name}, up`;
	const down = (/** @type {string} */ name) => `${name}, down`;
	const { node, httpRequest } = names;
	const once = { warmUp, load, repeat: 1 };
	const rows = [
		...(await compare(bench, {
			...once,
			candidates: nodesInN8n(
				bench,
				(/** @type {number} */ size) => [nodes.readFiles(fileOf(size))],
				[
					[up(node), (access) => nodes.voiceAndSpeech(access, { operation: 'speechToText' })],
					[up(httpRequest), (access) => nodes.httpRequest(access, uploadPath, nodes.filePart)],
				],
			),
			check: (_, size, counts) => checkUpload(counts, size),
		})),
		...(await compare(bench, {
			...{ ...once, speechBytes: (size) => size },
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
