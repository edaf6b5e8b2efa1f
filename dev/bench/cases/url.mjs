import { inN8n } from '../candidates.mjs';
import { growthOf, mebibytes, names, sizeText } from '../claims.mjs';
import { compare } from '../compare.mjs';
import { textItems, voiceAndSpeech } from '../nodes.mjs';
import { checkUpload } from './upload.mjs';

/**
 * One large recording from another server through n8n to the service.
 * @type {import('../cases.mjs').Case}
 */
export async function url(bench) {
	const { options } = bench;
	const rows = await compare(bench, {
		warmUp: mebibytes(16),
		load: options.size,
		candidates: [
			inN8n(bench, names.node, (access, /** @type {number} */ size) => [
				...textItems(1),
				voiceAndSpeech(access, {
					operation: 'speechToText',
					audioSource: 'url',
					audioUrl: `${bench.url}/recording.wav?size=${size}`,
				}),
			]),
		],
		check: (_, size, counts) => checkUpload(counts, size),
	});
	return {
		title: `${sizeText(options.size)} from a URL to the service`,
		rows,
		claims: [growthOf(rows, names.node)],
	};
}
