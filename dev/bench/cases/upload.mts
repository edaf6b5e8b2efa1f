import { join } from 'node:path';
import { curl, nodesInN8n } from '../candidates.mts';
import { mebibytes, names, sizeText, transferClaims } from '../claims.mts';
import { compare } from '../compare.mts';
import { filePart, httpRequest, readFiles, voiceAndSpeech } from '../nodes.mts';
import { wavHash, writeWav } from '../wav.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

export const path = '/ai/speech-to-text';

/**
 * @param counts of one run
 * @param size of the recording, in bytes
 * @throws if the recording did not arrive unchanged; its hash is compared if the server took it
 */
export function checkUpload(
	{ calls, bytes, hash }: { calls: number; bytes: number; hash: string },
	size: number,
) {
	const isEntire = calls === 1 && bytes > size && bytes < size + 2_000;
	if (!isEntire || (hash !== '' && hash !== wavHash(size))) {
		throw new Error(`The recording did not arrive unchanged: ${calls} calls, ${bytes} bytes`);
	}
}

/** One large recording from disk to the service. */
export async function upload(bench: Bench): Promise<Outcome> {
	const { options, files, url } = bench;
	const load = { file: join(files, 'large.wav'), size: options.size };
	const warmUp = { file: join(files, 'small.wav'), size: mebibytes(16) };
	for (const { file, size } of [load, warmUp]) await writeWav(file, size);
	const redirectsOff = { redirect: { redirect: { followRedirects: false } } };
	const rows = await compare(bench, {
		...{ load, warmUp },
		candidates: [
			...nodesInN8n(bench, ({ file }: typeof load) => [readFiles(file)], [
				[names.node, (access) => voiceAndSpeech(access, { operation: 'speechToText' })],
				[names.httpRequest, (access) => httpRequest(access, path, filePart)],
				[
					`${names.httpRequest}, redirects off`,
					(access) => httpRequest(access, path, filePart, redirectsOff),
				],
			]),
			curl(bench, ({ file }: typeof load) => [
				'-F',
				`file=@${file};type=audio/wav`,
				`${url}${path}`,
			]),
		],
		check: (_, { size }, counts) => checkUpload(counts, size),
	});
	return {
		title: `upload of ${sizeText(options.size)} from disk`,
		rows,
		claims: transferClaims(rows),
	};
}
