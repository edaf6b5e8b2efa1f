import { join } from 'node:path';
import { curl, nodesInN8n } from '../candidates.mjs';
import { mebibytes, names, sizeText, transferClaims } from '../claims.mjs';
import { compare } from '../compare.mjs';
import { filePart, httpRequest, readFiles, voiceAndSpeech } from '../nodes.mjs';
import { wavHash, writeWav } from '../wav.mjs';

export const path = '/ai/speech-to-text';

/**
 * @param {{calls: number, bytes: number, hash: string}} counts of one run
 * @param {number} size of the recording, in bytes
 * @throws if the recording did not arrive unchanged; its hash is compared if the server took it
 */
export function checkUpload({ calls, bytes, hash }, size) {
	const isEntire = calls === 1 && bytes > size && bytes < size + 2_000;
	if (!isEntire || (hash !== '' && hash !== wavHash(size))) {
		throw new Error(`The recording did not arrive unchanged: ${calls} calls, ${bytes} bytes`);
	}
}

/**
 * One large recording from disk to the service.
 * @type {import('../cases.mjs').Case}
 */
export async function upload(bench) {
	const { options, files, url } = bench;
	const load = { file: join(files, 'large.wav'), size: options.size };
	const warmUp = { file: join(files, 'small.wav'), size: mebibytes(16) };
	for (const { file, size } of [load, warmUp]) await writeWav(file, size);
	const redirectsOff = { redirect: { redirect: { followRedirects: false } } };
	const rows = await compare(bench, {
		...{ load, warmUp },
		candidates: [
			...nodesInN8n(bench, (/** @type {typeof load} */ { file }) => [readFiles(file)], [
				[names.node, (access) => voiceAndSpeech(access, { operation: 'speechToText' })],
				[names.httpRequest, (access) => httpRequest(access, path, filePart)],
				[
					`${names.httpRequest}, redirects off`,
					(access) => httpRequest(access, path, filePart, redirectsOff),
				],
			]),
			curl(bench, ({ file }) => ['-F', `file=@${file};type=audio/wav`, `${url}${path}`]),
		],
		check: (_, { size }, counts) => checkUpload(counts, size),
	});
	return {
		title: `upload of ${sizeText(options.size)} from disk`,
		rows,
		claims: transferClaims(rows),
	};
}
