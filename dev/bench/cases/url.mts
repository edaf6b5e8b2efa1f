import { inN8n } from '../candidates.mts';
import { growthOf, mebibytes, names, sizeText } from '../claims.mts';
import { compare } from '../compare.mts';
import { textItems, voiceAndSpeech } from '../nodes.mts';
import { checkUpload } from './upload.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

/** One large recording from another server through n8n to the service. */
export async function url(bench: Bench): Promise<Outcome> {
	const { options } = bench;
	const rows = await compare(bench, {
		warmUp: mebibytes(16),
		load: options.size,
		candidates: [
			inN8n(bench, names.node, (access, size: number) => [
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
