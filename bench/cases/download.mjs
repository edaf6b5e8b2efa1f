import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inN8n, names } from '../candidates.mjs';
import { httpRequest, textBody, texts, voiceAndSpeech } from '../nodes.mjs';
import { processorAgainst, rowOf, timeAgainst, worstGrowth } from '../outcome.mjs';
import { race } from '../race.mjs';
import { growthText, megabytes, sizeText } from '../units.mjs';
import { wavHash } from '../wav.mjs';

/** What an HTTP Request node needs to be told to store an answer as a file. */
export const asFile = { response: { response: { responseFormat: 'file' } } };

/**
 * One large answer of text to speech into n8n's storage.
 * @param {import('../candidates.mjs').Bench} bench
 * @returns {Promise<import('../outcome.mjs').Outcome>}
 */
export async function download(bench) {
	const { service, options, onStep } = bench;
	const small = megabytes(16);
	const hashes = new Map([small, options.size].map((size) => [size, wavHash(size)]));
	const rows = await race({
		...{ service, onStep, warmUp: small, load: options.size, repeat: options.repeat },
		candidates: [
			candidate(bench, names.node, (reach) =>
				voiceAndSpeech(reach, {
					operation: 'textToSpeech',
					text: '={{ $json.text }}',
					voiceId: 'voice',
				}),
			),
			candidate(bench, names.httpRequest, (reach) =>
				httpRequest(reach, '/ai/text-to-speech', textBody, asFile),
			),
		],
		check() {},
	});

	/**
	 * @param {import('../candidates.mjs').Bench} bench
	 * @param {string} name
	 * @param {(reach: import('../nodes.mjs').Reach) => import('../nodes.mjs').Node} node
	 */
	function candidate(bench, name, node) {
		let size = 0;
		const inside = inN8n(
			bench,
			name,
			(reach) => [...texts(1), node(reach)],
			async ({ items }, { storage }) => await checkFile(items, storage, hashes.get(size)),
		);
		/** @param {number} load */
		const run = async (load) => {
			size = load;
			await service.take({ speechBytes: load });
			return await inside.run(load);
		};
		return { ...inside, run };
	}

	return {
		title: `download of ${sizeText(options.size)} of speech`,
		rows,
		claims: [
			{
				what: 'memory growth',
				value: worstGrowth(rowOf(rows, names.node)),
				text: growthText,
				bar: megabytes(64),
				mark: megabytes(16),
			},
			timeAgainst(rows, names.node, names.httpRequest, { bar: 1 }),
			...processorAgainst(rows, names.node, names.httpRequest),
		],
		notes: ['Every stored file was compared with what the server sent (sha256): byte-exact.'],
	};
}

/**
 * @param {import('../../hosts/executions.mjs').Item[]} items
 * @param {string} storage
 * @param {string | undefined} wanted the sha256 of what was sent
 */
async function checkFile(items, storage, wanted) {
	const id = items[0]?.binary?.data?.id ?? '';
	const hash = createHash('sha256');
	await pipeline(createReadStream(join(storage, id.replace(/^[^:]*:/, ''))), hash);
	if (hash.digest('hex') !== wanted) throw new Error('The stored file is not what was sent');
}
