import { readFile } from 'node:fs/promises';

import { computeMedian } from './median.mts';

const sampleIntervalMs = 50;

/** Number of samples, about those of a second, that show the level of the memory before the work. */
const samplesBefore = 20;

/** What Linux says of a process at a time. */
interface Sample {
	/** In ms since 1970. */
	timestamp: number;
	/** Resident memory in bytes. */
	memory: number;
	processorSeconds: number;
}

/** @throws {Error} if the process has ended */
async function takeSample(pid: number): Promise<Sample> {
	const [stat, status] = await Promise.all(
		['stat', 'status'].map(async (name) => await readFile(`/proc/${pid}/${name}`, 'utf8')),
	);
	// The name of the program, in parentheses, may contain spaces. Fields 14 and 15 are in hundredths of a second.
	const [user, system] = stat!
		.slice(stat!.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 13);
	const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(status!) ?? [];
	return {
		timestamp: Date.now(),
		memory: Number(kilobytes) * 1024,
		processorSeconds: (Number(user) + Number(system)) / 100,
	};
}

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
	const samples: Sample[] = [];
	let isWatching = true;
	const takeSamples = async () => {
		if (!isWatching) return;
		// A process that has ended has no figures.
		const sample = await takeSample(pid).catch(() => undefined);
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
			processorSeconds: last.processorSeconds - first.processorSeconds,
		};
	};
}
