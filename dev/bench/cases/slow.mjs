import { join } from 'node:path';
import { inN8n, names } from '../candidates.mjs';
import { growthOf, megabytes, ratioText, rowOf, sizeText, median } from '../claims.mjs';
import { compare } from '../compare.mjs';
import { readFiles, textToSpeech, voiceAndSpeech } from '../nodes.mjs';
import { slowBytesPerSecond } from '../service.mjs';
import { writeWav } from '../wav.mjs';
import { speechInN8n } from './download.mjs';
import { checkUpload } from './upload.mjs';

/**
 * One recording up and one down, over TLS, through a slow line. A stall that the node reports fails the case.
 * @type {import('../cases.mjs').Case}
 */
export async function slow(fastBench) {
	const bench = { ...fastBench, url: fastBench.service.urls.slow };
	const { options, files } = bench;
	const [warmUp, load] = [megabytes(1), megabytes(options.quick ? 16 : 256)];
	const fileOf = (/** @type {number} */ size) => join(files, `${size}.wav`);
	for (const size of [warmUp, load]) await writeWav(fileOf(size), size);
	const [up, down] = [`${names.node}, up`, `${names.node}, down`];
	const once = { warmUp, load, repeat: 1 };
	const rows = [
		...(await compare(bench, {
			...once,
			candidates: [
				inN8n(bench, up, (access, /** @type {number} */ size) => [
					readFiles(fileOf(size)),
					voiceAndSpeech(access, { operation: 'speechToText' }),
				]),
			],
			check: (_, size, counts) => checkUpload(counts, size),
		})),
		...(await compare(bench, {
			...once,
			candidates: [speechInN8n(bench, down, textToSpeech)],
			check() {},
		})),
	];
	const lineSeconds = load / slowBytesPerSecond;
	return {
		title: `${sizeText(load)} through a line of ${slowBytesPerSecond / 1e6} MB/s, over TLS`,
		rows,
		claims: [up, down].flatMap((name) => [
			{ ...growthOf(rows, name), what: `memory growth, ${name}` },
			{
				what: `time against the line's, ${name}`,
				value: median(rowOf(rows, name).seconds) / lineSeconds,
				text: ratioText,
				bar: 1.1,
			},
		]),
	};
}
