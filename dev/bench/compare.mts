// Runs several candidates with the same work, in turns, so that other programs on the machine disturb them alike.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { names } from './cases.mts';
import { runInN8n } from './n8n.mts';
import type { Host } from '../n8n/install.mts';
import type { Case } from './cases.mts';
import type { ProcessUsage } from './process.mts';
import type { Service } from './service.mts';

/** What all cases share. */
export interface Bench {
	/** Whether each candidate only runs once, with the small load. */
	isQuick: boolean;
	host: Host;
	/** Path of this package. */
	tarball: string;
	service: Service;
	/** For n8n's data. */
	folder: string;
	/** For the recordings, which n8n may read. */
	recordings: string;
}

/** One run of a candidate; without `growth` and `processorSeconds` if it is curl. */
export interface Run extends Partial<ProcessUsage> {
	seconds: number;
}

/** All runs of a candidate. */
export interface Row {
	/** Of the candidate. */
	name: string;
	runs: Run[];
}

/**
 * @param onStep gets what begins
 * @throws if a run fails
 */
export async function compare(
	bench: Bench,
	work: Case,
	onStep: (step: string) => void,
): Promise<Row[]> {
	const candidates = Object.entries(work.nodes).map(([name, createNode]) => ({
		name,
		run: async () => await runInN8n(bench, work, createNode),
		runs: [] as Run[],
	}));
	if (work.curlArguments) {
		candidates.push({ name: names.curl, run: async () => await runCurl(bench, work), runs: [] });
	}
	const rounds = bench.isQuick ? 1 : 3;
	for (let round = 1; round <= rounds; round++) {
		for (const { name, run, runs } of candidates) {
			onStep(`${name}, run ${round} of ${rounds}`);
			runs.push(await run());
		}
	}
	return candidates.map(({ name, runs }) => ({ name, runs }));
}

/** Runs curl, which transfers a file about as fast as possible. */
async function runCurl({ service, recordings, isQuick }: Bench, work: Case): Promise<Run> {
	const load = isQuick ? work.warmUp : work.load;
	const url = `${service.url(work.isEncrypted)}/${load.bytes}`;
	const options = ['-sS', '--fail', '--cacert', service.certificate, '-w', '\n%{time_total}'];
	const transfer = (await work.curlArguments?.(load, recordings, url)) ?? [];
	const { stdout } = await promisify(execFile)('curl', [...options, ...transfer]);
	return { seconds: Number(stdout.split('\n').at(-1)) };
}
