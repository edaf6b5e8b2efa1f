// Runs several candidates with the same work, in turns, so that other programs on the machine disturb them alike.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { printStep } from '../lib/progress.mts';
import { runInN8n, type Bench, type MeasuredRun } from './n8n.mts';
import { extensions, partMinutes } from './nodes.mts';
import { makeRecordings } from './recordings.mts';
import type { Candidate, Case } from './cases.mts';

/** One run of a candidate. What curl and ffmpeg use is not measured. */
export type Run = Pick<MeasuredRun, 'seconds'> & Partial<MeasuredRun>;

export interface Row {
	name: Candidate;
	runs: Run[];
}

/**
 * @returns the runs of each candidate, this node first
 * @throws if a run fails
 */
export async function compare(bench: Bench, work: Case, rounds: number): Promise<Row[]> {
	const names = ['this node', ...Object.keys(work.others)] as Candidate[];
	const rows: Row[] = names.map((name) => ({ name, runs: [] }));
	for (let round = 1; round <= rounds; round++) {
		for (const { name, runs } of rows) {
			printStep(`${work.title}: ${name}, run ${round} of ${rounds}`);
			const run = await runCandidate(bench, work, name);
			// Each result is printed at once, so that a later failure does not lose it.
			console.log(run);
			runs.push(run);
		}
	}
	return rows;
}

async function runCandidate(bench: Bench, work: Case, name: Candidate): Promise<Run> {
	switch (name) {
		case 'curl':
			return await runCurl(bench, work);
		case 'ffmpeg':
			return await runFfmpeg(bench, work);
		default:
			return await runInN8n(bench, work, name);
	}
}

/** Runs curl, which transfers a file about as fast as possible. */
async function runCurl({ server, recordings }: Bench, work: Case): Promise<Run> {
	const url = `${server.urls[work.protocol]}/${work.load.bytes}`;
	const options = ['-sS', '--fail', '--cacert', server.certificate, '-w', '\n%{time_total}'];
	if (work.input === 'recordings') {
		const file = path.join(await makeRecordings(recordings, work.load, 'wav'), '0.wav');
		options.push('-F', `file=@${file};type=audio/wav`, `${url}/ai/speech-to-text`);
	} else {
		options.push('-H', 'Content-Type: application/json', '-d', '{"text":"Hello"}');
		options.push('-o', path.join(recordings, 'speech.wav'), `${url}/ai/text-to-speech`);
	}
	const { stdout } = await promisify(execFile)('curl', options);
	return { seconds: Number(stdout.split('\n').at(-1)) };
}

/** Runs ffmpeg, which makes parts of the same length and format. */
async function runFfmpeg({ recordings }: Bench, { input, load }: Case): Promise<Run> {
	const extension = extensions[input as keyof typeof extensions];
	const file = path.join(await makeRecordings(recordings, load, extension), `0.${extension}`);
	const encoding = input === 'film' ? '-vn -c copy' : '-ac 1 -ar 16000';
	const options = `${encoding} -f segment -segment_time ${partMinutes * 60}`.split(' ');
	const parts = path.join(recordings, `part-%03d.${input === 'film' ? 'm4a' : 'wav'}`);
	const start = performance.now();
	await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-i', file, ...options, parts]);
	return { seconds: (performance.now() - start) / 1_000 };
}
