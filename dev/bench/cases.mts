import { concurrency, type Input, type MeasuredNode } from './nodes.mts';
import { countConvertedBytes, type Load } from './recordings.mts';
import type { Protocol } from './startServer.mts';

export type Candidate = MeasuredNode | 'curl' | 'ffmpeg';

/** Work that several candidates do. */
export interface Case {
	title: string;
	protocol: Protocol;
	input: Input;
	load: Load;
	/** A small load of the same kind, which runs first, so that the cost of the first use is not measured. */
	warmUp: Load;
	/** The candidates to compare this node with. The value is the target of the ratio of this node's time to theirs. */
	others: Partial<Record<Candidate, number>>;
	/** Whether to measure how fast n8n responds meanwhile. That is work for n8n too. */
	measuresResponses?: true;
}

const mebibyte = 1024 ** 2;
const large = { count: 1, bytes: 1024 * mebibyte };
const small = { count: 1, bytes: 16 * mebibyte };

const upload: Case = {
	title: 'upload of 1 GiB from disk',
	protocol: 'http',
	input: 'recordings',
	load: large,
	warmUp: small,
	others: { 'HTTP Request node': 1, 'HTTP Request node, redirects off': Infinity, curl: 2 },
};

const download: Case = {
	title: 'download of 1 GiB of speech',
	protocol: 'http',
	input: 'texts',
	load: large,
	warmUp: small,
	others: { 'HTTP Request node': 1, curl: 2 },
};

const files: Case = {
	title: `500 recordings of 5 MiB, ${concurrency} simultaneous calls`,
	protocol: 'http',
	input: 'recordings',
	load: { count: 500, bytes: 5 * mebibyte },
	warmUp: { count: 25, bytes: 5 * mebibyte },
	others: { 'HTTP Request node': 1, 'minimal node': Infinity },
};

const texts: Case = {
	title: `2,000 short texts, 4 KiB of speech each, ${concurrency} simultaneous calls`,
	protocol: 'http',
	input: 'texts',
	load: { count: 2_000, bytes: 4_096 },
	warmUp: { count: 100, bytes: 4_096 },
	others: { 'HTTP Request node': 1, 'minimal node': 1.1 },
};

/** @param count recordings of each execution */
function createConvertCase(title: string, count: number, executions: number): Case {
	return {
		title: `${title} of 15 minutes of Opus, converted to WAV`,
		protocol: 'http',
		input: 'opus',
		load: { count, bytes: countConvertedBytes(15), executions },
		warmUp: { count, bytes: countConvertedBytes(1), executions },
		others: {},
		measuresResponses: true,
	};
}

const convert = [
	createConvertCase('5 recordings', 5, 1),
	createConvertCase('20 recordings', 20, 1),
	createConvertCase('6 executions with 5 recordings', 5, 6),
];

const split: Case[] = [
	{
		title: 'split of 3 hours of Opus into WAV',
		protocol: 'http',
		input: 'long opus',
		load: { count: 1, bytes: countConvertedBytes(180) },
		warmUp: { count: 1, bytes: countConvertedBytes(25) },
		others: { ffmpeg: Infinity },
		measuresResponses: true,
	},
	{
		title: 'split of a film of 1 GiB into M4A',
		protocol: 'http',
		input: 'film',
		load: large,
		warmUp: { count: 1, bytes: 256 * mebibyte },
		others: { ffmpeg: Infinity },
		measuresResponses: true,
	},
];

function createTlsCase(plain: Case): Case {
	return { ...plain, title: `${plain.title}, over TLS`, protocol: 'https' };
}

/** All cases by the names of the command line, in the order in which they run. */
export const cases: Record<string, Case[]> = {
	upload: [upload],
	'upload-tls': [createTlsCase(upload)],
	download: [download],
	'download-tls': [createTlsCase(download)],
	files: [files],
	'files-tls': [createTlsCase(files)],
	texts: [texts],
	convert,
	split,
};
