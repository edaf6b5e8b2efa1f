import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { curl, inN8n } from '../candidates.mts';
import { mebibytes, names, sizeText, transferClaims } from '../claims.mts';
import { compare } from '../compare.mts';
import { asFile, httpRequest, textBody, textItems, textToSpeech } from '../nodes.mts';
import { wavHash } from '../wav.mts';
import type { Bench } from '../candidates.mts';
import type { Access, Node } from '../nodes.mts';
import type { Candidate } from '../compare.mts';
import type { Outcome } from '../claims.mts';

const path = '/ai/text-to-speech';

/** A candidate that stores speech in n8n; each file is compared with what the server sent. */
export const speechInN8n = (
	bench: Bench,
	name: string,
	node: (access: Access) => Node,
): Candidate<number> =>
	inN8n(
		bench,
		name,
		(access) => [...textItems(1), node(access)],
		async ({ items }, storage, size) => {
			const id = items[0]?.binary?.data?.id ?? '';
			const hash = createHash('sha256');
			await pipeline(createReadStream(join(storage, id.replace(/^[^:]*:/, ''))), hash);
			if (hash.digest('hex') !== wavHash(size)) {
				throw new Error('The stored file differs from what was sent');
			}
		},
	);

export const speechByHttpRequest = (access: Access) => httpRequest(access, path, textBody, asFile);

/** One large response of text to speech into n8n's storage. */
export async function download(bench: Bench): Promise<Outcome> {
	const { options, files, url } = bench;
	const header = ['-H', 'Content-Type: application/json', '-d', '{"text":"Hello"}'];
	const target = ['-o', join(files, 'speech.wav'), `${url}${path}`];
	const rows = await compare(bench, {
		warmUp: mebibytes(16),
		load: options.size,
		speechBytes: (size) => size,
		candidates: [
			speechInN8n(bench, names.node, textToSpeech),
			speechInN8n(bench, names.httpRequest, speechByHttpRequest),
			curl(bench, () => [...header, ...target]),
		],
	});
	return {
		title: `download of ${sizeText(options.size)} of speech`,
		rows,
		claims: transferClaims(rows),
	};
}
