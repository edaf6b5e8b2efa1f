import { inN8n, names } from '../candidates.mjs';
import { texts, voiceAndSpeech } from '../nodes.mjs';
import { rowOf, worstGrowth } from '../outcome.mjs';
import { race } from '../race.mjs';
import { growthText, megabytes, sizeText } from '../units.mjs';
import { wavHash } from '../wav.mjs';

/**
 * One large recording from another server through n8n to the service.
 * @param {import('../candidates.mjs').Bench} bench
 * @returns {Promise<import('../outcome.mjs').Outcome>}
 */
export async function url(bench) {
	const { service, options, onStep } = bench;
	const small = megabytes(16);
	const hash = wavHash(small);
	const rows = await race({
		...{ service, onStep, warmUp: small, load: options.size, repeat: options.repeat },
		candidates: [
			inN8n(bench, names.node, (reach, /** @type {number} */ size) => [
				...texts(1),
				voiceAndSpeech(reach, {
					operation: 'speechToText',
					audioSource: 'url',
					audioUrl: `${service.url}/recording.wav?size=${size}`,
				}),
			]),
		],
		check(_, size, tally) {
			const arrived = tally.calls === 1 && tally.bytes > size && tally.bytes < size + 2_000;
			if (!arrived || (tally.hash !== '' && tally.hash !== hash)) {
				throw new Error(`The recording did not arrive as it was: ${JSON.stringify(tally)}`);
			}
		},
	});
	return {
		title: `${sizeText(options.size)} from a URL through to the service`,
		rows,
		claims: [
			{
				what: 'memory growth',
				value: worstGrowth(rowOf(rows, names.node)),
				text: growthText,
				bar: megabytes(64),
				mark: megabytes(16),
			},
		],
	};
}
