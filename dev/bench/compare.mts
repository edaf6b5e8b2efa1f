// Runs several candidates with the same work, in turns, so that other programs on the machine disturb them alike.
import type { Trace } from './process.mts';
import type { Item } from '../n8n/executions.mts';
import type { Counts } from './server.mts';
import type { Bench } from './candidates.mts';

/** One run of a candidate. */
export interface Run {
	seconds: number;
	/** of its process's memory, in bytes */
	growth?: number;
	/** seconds of processor time */
	cpu?: number;
	/** of that growth */
	trace?: Trace;
	/** output of an n8n node */
	items?: Item[];
}

/** Something that can do the work of a case. */
export interface Candidate<Load> {
	name: string;
	/** before each round: what V8 decides in one process must not decide all runs */
	start?: () => Promise<void>;
	run: (load: Load) => Promise<Run>;
	stop?: () => Promise<void>;
}

/** All runs of a candidate. */
export interface Row {
	name: string;
	seconds: number[];
	growth: number[];
	cpu: number[];
	/** of the run in which memory grew most, for the plot */
	trace?: Trace;
	/** of the server, for each run */
	counts: Counts[];
}

/**
 * @param work.warmUp a small load: what it loads, and what first use costs, is not measured
 * @param work.speechBytes size of the speech that the server returns
 * @param work.check throws if anything is missing
 */
export async function compare<Load>(
	{ service, options, onStep }: Bench,
	work: {
		candidates: Candidate<Load>[];
		warmUp: Load;
		load: Load;
		repeat?: number;
		speechBytes?: (load: Load) => number;
		check?: (run: Run, load: Load, counts: Counts) => void;
	},
): Promise<Row[]> {
	const { candidates, warmUp, load, repeat = options.repeat, speechBytes, check } = work;
	const all = candidates.map((candidate) => {
		const row: Row = { name: candidate.name, seconds: [], growth: [], cpu: [], counts: [] };
		return { candidate, row };
	});
	const runOnce = async (candidate: Candidate<Load>, amount: Load, hash: boolean) => {
		await service.takeCounts({ hash, speechBytes: speechBytes?.(amount) });
		const run = await candidate.run(amount);
		const counts = await service.takeCounts();
		check?.(run, amount, counts);
		return { ...run, counts };
	};
	for (let round = 1; round <= repeat; round++) {
		try {
			onStep(`round ${round} of ${repeat}: starting`);
			// All of them settle before one fails: `stop` must find what has started.
			const starts = candidates.map(async (candidate) => await candidate.start?.());
			await Promise.allSettled(starts);
			await Promise.all(starts);
			for (const candidate of candidates) {
				onStep(`${candidate.name}: warming up`);
				await runOnce(candidate, warmUp, true);
			}
			for (const { candidate, row } of all) {
				onStep(`${candidate.name}: run ${round} of ${repeat}`);
				const { seconds, growth, cpu, trace, counts } = await runOnce(candidate, load, false);
				row.seconds.push(seconds);
				row.counts.push(counts);
				if (cpu !== undefined) row.cpu.push(cpu);
				if (growth === undefined) continue;
				if (growth > Math.max(-Infinity, ...row.growth)) row.trace = trace;
				row.growth.push(growth);
			}
		} finally {
			await Promise.all(candidates.map(async (candidate) => await candidate.stop?.()));
		}
	}
	return all.map(({ row }) => row);
}

/**
 * @param run of a load of items
 * @param count of them
 * @throws if an item was not sent, or has no output
 */
export function checkItems({ items }: Run, count: number, { calls }: Counts) {
	if (calls !== count || items?.length !== count) {
		throw new Error(`Items are missing: ${calls} calls for ${count} items`);
	}
}
