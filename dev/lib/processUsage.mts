import pidusage from 'pidusage';

import { computeMedian } from './median.mts';

const sampleIntervalMs = 50;

/** Number of samples, about those of a second, that show the level of the memory before the work. */
const samplesBefore = 20;

/** What a process used while it worked. */
export interface ProcessUsage {
	/** How far its resident memory rose above its level in the second before, in bytes. */
	growth: number;
	processorSeconds: number;
}

/**
 * Starts to watch a process. Resolves after the first sample, which takes long if this process has much to write to the
 * disk.
 *
 * @returns a function that stops watching, and returns what the process used between two times (in ms since 1970). It
 * throws if the process was not watched then.
 */
export async function watchProcess(
	pid: number,
): Promise<(from: number, to: number) => ProcessUsage> {
	const samples: pidusage.Status[] = [];
	let isWatching = true;
	const takeSamples = async () => {
		if (!isWatching) return;
		// A process that has ended has no figures.
		const sample = await pidusage(pid).catch(() => undefined);
		if (sample) samples.push(sample);
		// The next sample is taken after this one, because samples that overlap could be out of order.
		setTimeout(takeSamples, sampleIntervalMs).unref();
	};
	await takeSamples();
	return (from, to) => {
		isWatching = false;
		// They are selected by number, because a busy machine takes fewer samples in a second.
		const before = samples.filter(({ timestamp }) => timestamp <= from).slice(-samplesBefore);
		const end = to + sampleIntervalMs;
		const during = samples.filter(({ timestamp }) => timestamp > from && timestamp <= end);
		const first = before.at(-1);
		const last = during.at(-1);
		if (first === undefined || last === undefined) throw new Error('The process was not watched');
		const highest = Math.max(...during.map(({ memory }) => memory));
		return {
			growth: highest - computeMedian(before.map(({ memory }) => memory)),
			processorSeconds: (last.ctime - first.ctime) / 1_000,
		};
	};
}
