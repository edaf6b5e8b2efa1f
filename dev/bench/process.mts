import pidusage from 'pidusage';

const sampleIntervalMs = 50;

/** How many samples tell the level of the memory before the work: those of about a second. */
const samplesBefore = 20;

/** A process at one moment. */
interface Sample {
	/** Milliseconds since 1970. */
	time: number;
	/** Resident memory, in bytes. */
	memory: number;
	/** Processor time since the process started. */
	processorSeconds: number;
}

/** What a process used while it worked. */
export interface ProcessUsage {
	/** How far its resident memory rose above its level in the second before, in bytes. */
	growth: number;
	processorSeconds: number;
}

/**
 * Watches a process.
 * @returns ends the watching, and returns what was seen
 */
export function watchProcess(pid: number): () => Sample[] {
	const samples: Sample[] = [];
	const takeSample = async () => {
		// A process that has ended has no figures.
		const usage = await pidusage(pid).catch(() => undefined);
		if (usage === undefined) return;
		const { timestamp, memory, ctime } = usage;
		samples.push({ time: timestamp, memory, processorSeconds: ctime / 1_000 });
	};
	void takeSample();
	const timer = setInterval(() => void takeSample(), sampleIntervalMs);
	return () => {
		clearInterval(timer);
		return samples;
	};
}

/**
 * @param from milliseconds since 1970
 * @throws if the process was not watched then
 */
export function usageBetween(samples: Sample[], from: number, to: number): ProcessUsage {
	// By their number, because a busy machine takes fewer samples in a second.
	const before = samples.filter(({ time }) => time <= from).slice(-samplesBefore);
	const during = samples.filter(({ time }) => time > from && time <= to + sampleIntervalMs);
	const first = before.at(-1);
	const last = during.at(-1);
	if (first === undefined || last === undefined) throw new Error('The process was not watched');
	const level = median(before.map(({ memory }) => memory));
	const highest = Math.max(...during.map(({ memory }) => memory));
	return {
		growth: highest - level,
		processorSeconds: last.processorSeconds - first.processorSeconds,
	};
}

/** @returns NaN without values */
export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	const lower = sorted[Math.floor(middle)] ?? NaN;
	const upper = sorted[Math.ceil(middle)] ?? NaN;
	return (lower + upper) / 2;
}
