import { join } from 'node:path';
import { inN8n, names } from '../candidates.mjs';
import { bareUpload } from '../clients/bare.mjs';
import { curl } from '../clients/curl.mjs';
import { filePart, httpRequest, readFiles, voiceAndSpeech } from '../nodes.mjs';
import { processorAgainst, rowOf, timeAgainst, worstGrowth } from '../outcome.mjs';
import { race } from '../race.mjs';
import { growthText, megabytes, sizeText } from '../units.mjs';
import { wavHash, writeWav } from '../wav.mjs';

const path = '/ai/speech-to-text';

/**
 * One large recording from disk to the service.
 * @param {import('../candidates.mjs').Bench} bench
 * @returns {Promise<import('../outcome.mjs').Outcome>}
 */
export async function upload(bench) {
	const { service, options, files, onStep } = bench;
	const load = { file: join(files, 'large.wav'), size: options.size };
	const warmUp = { file: join(files, 'small.wav'), size: megabytes(16) };
	for (const { file, size } of [load, warmUp]) await writeWav(file, size);
	const hashes = new Map([[warmUp.size, wavHash(warmUp.size)]]);

	/** @typedef {typeof load} Load */
	const fast = curl(`${service.url}${path}`);
	const rows = await race({
		...{ service, onStep, warmUp, load, repeat: options.repeat },
		candidates: [
			inN8n(bench, names.node, (reach, /** @type {Load} */ { file }) => [
				readFiles(file),
				voiceAndSpeech(reach, { operation: 'speechToText' }),
			]),
			inN8n(bench, names.httpRequest, (reach, /** @type {Load} */ { file }) => [
				readFiles(file),
				httpRequest(reach, path, filePart),
			]),
			inN8n(bench, `${names.httpRequest}, redirects off`, (reach, /** @type {Load} */ { file }) => [
				readFiles(file),
				httpRequest(reach, path, filePart, { redirect: { redirect: { followRedirects: false } } }),
			]),
			{ ...fast, run: async ({ file }) => await fast.run(file) },
			bareUpload(`${service.url}${path}`),
		],
		check(_, { size }, tally) {
			const hash = hashes.get(size);
			const arrived = tally.calls === 1 && tally.bytes > size && tally.bytes < size + 2_000;
			if (!arrived || (tally.hash !== '' && tally.hash !== hash)) {
				throw new Error(`The recording did not arrive as it was: ${JSON.stringify(tally)}`);
			}
		},
	});
	return {
		title: `upload of ${sizeText(options.size)} from disk`,
		rows,
		claims: [
			{
				what: 'memory growth',
				value: worstGrowth(rowOf(rows, names.node)),
				text: growthText,
				bar: megabytes(64),
				mark: megabytes(16),
			},
			timeAgainst(rows, names.node, names.httpRequest, { bar: 1, mark: 0.5 }),
			...processorAgainst(rows, names.node, names.httpRequest),
			timeAgainst(rows, names.node, 'curl', { mark: 3 }),
		],
	};
}
