import { join } from 'node:path';
import * as nodes from './nodes.mts';
import { makeRecordings } from './recordings.mts';
import type { Access, Node } from './nodes.mts';
import type { Load } from './recordings.mts';

/** Names of the candidates. */
export const names = {
	node: 'this node',
	httpRequest: 'HTTP Request node',
	httpRequestWithoutRedirects: 'HTTP Request node, redirects off',
	minimal: 'minimal node',
	curl: 'curl',
};

/** Work that several candidates do. */
export interface Case {
	title: string;
	isEncrypted?: boolean;
	load: Load;
	/** A small load of the same kind: what the first use costs is not measured. */
	warmUp: Load;
	/** Makes the items that the measured nodes get, if necessary of recordings in that folder. */
	createInputs: (load: Load, folder: string) => Promise<Node[]> | Node[];
	/** The candidates that are nodes of n8n, by name; this node first. */
	nodes: Record<string, (access: Access) => Node>;
	/** Curl's arguments for the same transfer. */
	curlArguments?: (load: Load, folder: string, url: string) => Promise<string[]> | string[];
	/** Highest accepted time relative to other candidates, by name. */
	targets: Record<string, number>;
}

const mebibyte = 1024 ** 2;
const large = { count: 1, bytes: 1024 * mebibyte };
const small = { count: 1, bytes: 16 * mebibyte };

const createTexts = ({ count }: Load) => nodes.makeTexts(count);

const readRecordings = async (load: Load, folder: string) => [
	nodes.readRecordings(await makeRecordings(folder, load)),
];

const upload: Case = {
	title: 'upload of 1 GiB from disk',
	load: large,
	warmUp: small,
	createInputs: readRecordings,
	nodes: {
		[names.node]: nodes.speechToText,
		[names.httpRequest]: nodes.httpRequestUpload,
		[names.httpRequestWithoutRedirects]: nodes.httpRequestUploadWithoutRedirects,
	},
	async curlArguments(load, folder, url) {
		const file = join(await makeRecordings(folder, load), '0.wav');
		return ['-F', `file=@${file};type=audio/wav`, `${url}/ai/speech-to-text`];
	},
	targets: { [names.curl]: 2, [names.httpRequest]: 1 },
};

const download: Case = {
	title: 'download of 1 GiB of speech',
	load: large,
	warmUp: small,
	createInputs: createTexts,
	nodes: {
		[names.node]: nodes.textToSpeech,
		[names.httpRequest]: nodes.httpRequestSpeech,
	},
	curlArguments: (_, folder, url) => {
		const body = ['-H', 'Content-Type: application/json', '-d', '{"text":"Hello"}'];
		return [...body, '-o', join(folder, 'speech.wav'), `${url}/ai/text-to-speech`];
	},
	targets: { [names.curl]: 2, [names.httpRequest]: 1 },
};

const files: Case = {
	title: `500 recordings of 5 MiB, ${nodes.concurrency} simultaneous calls`,
	load: { count: 500, bytes: 5 * mebibyte },
	warmUp: { count: 25, bytes: 5 * mebibyte },
	createInputs: readRecordings,
	nodes: {
		[names.node]: nodes.speechToText,
		[names.httpRequest]: nodes.httpRequestUpload,
		[names.minimal]: nodes.minimal,
	},
	targets: { [names.httpRequest]: 1 },
};

const texts: Case = {
	title: `2,000 short texts, 4 KiB of speech each, ${nodes.concurrency} simultaneous calls`,
	load: { count: 2_000, bytes: 4_096 },
	warmUp: { count: 100, bytes: 4_096 },
	createInputs: createTexts,
	nodes: {
		[names.node]: nodes.textToSpeech,
		[names.httpRequest]: nodes.httpRequestSpeech,
		[names.minimal]: nodes.minimal,
	},
	targets: { [names.httpRequest]: 1, [names.minimal]: 1.1 },
};

const overTls = (plain: Case): Case => ({
	...plain,
	title: `${plain.title}, over TLS`,
	isEncrypted: true,
});

/** In the order in which they run. */
export const cases: Record<string, Case> = {
	upload,
	'upload-tls': overTls(upload),
	download,
	'download-tls': overTls(download),
	files,
	'files-tls': overTls(files),
	texts,
};
