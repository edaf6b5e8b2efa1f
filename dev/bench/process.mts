// Memory and processor time of a process. Without /proc, nothing is measured.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './claims.mts';

/** A process at one moment. */
interface Sample {
	/** milliseconds since 1970 */
	at: number;
	/** memory, in bytes */
	resident: number;
	/** highest resident memory since the previous sample */
	peak: number;
	/** seconds of processor time since the process started */
	cpu: number;
}

/** memory growth in bytes, over the time of a node run */
export type Trace = { seconds: number; growth: number }[];

const sampleEveryMs = 50;

/** Linux reports processor time in hundredths of a second, on every machine (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/**
 * @param path below /proc
 * @returns empty if there is no such process, or no /proc
 */
function read(path: string): string {
	try {
		return readFileSync(`/proc/${path}`, 'latin1');
	} catch {
		return '';
	}
}

/** @returns seconds of processor time since the process started */
function processorSeconds(pid: number): number {
	const stat = read(`${pid}/stat`);
	// The second field is the program's name in brackets, and may contain spaces.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** @returns bytes; NaN if it cannot be read */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
	const [, kilobytes] =
		new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(`${pid}/status`)) ?? [];
	return Number(kilobytes) * 1_024;
}

/**
 * Watches a process. No peak between two samples is missed: Linux keeps the highest level, and resets it on request.
 * @returns ends the watching
 */
export function watchProcess(pid: number): () => Sample[] {
	const samples: Sample[] = [];
	const takeSample = () => {
		const [resident, peak] = [memoryOf(pid, 'VmRSS'), memoryOf(pid, 'VmHWM')];
		if (Number.isNaN(resident)) return;
		samples.push({ at: Date.now(), cpu: processorSeconds(pid), resident, peak });
		try {
			writeFileSync(`/proc/${pid}/clear_refs`, '5');
		} catch {
			// It has just ended.
		}
	};
	takeSample();
	const timer = setInterval(takeSample, sampleEveryMs);
	return () => {
		clearInterval(timer);
		takeSample();
		return samples;
	};
}

/**
 * Waits until the memory of a process stays at its level for 10 seconds, at most for a minute: V8 frees what n8n's start
 * leaves only some seconds later.
 */
export async function settled(pid: number) {
	let [level, since] = [memoryOf(pid, 'VmRSS'), Date.now()];
	const end = since + 60_000;
	for (; Date.now() < Math.min(end, since + 10_000); await sleep(500)) {
		const resident = memoryOf(pid, 'VmRSS');
		if (Math.abs(resident - level) > level / 100) [level, since] = [resident, Date.now()];
	}
}

/**
 * @param from milliseconds since 1970
 * @returns bytes above the level of the second before, and seconds of processor time in between; nothing if it could not be watched
 */
export function usedBetween(
	samples: Sample[],
	from: number,
	to: number,
): { growth?: number; cpu?: number; trace?: Trace } {
	const before = samples.filter(({ at }) => at >= from - 1_000 && at <= from);
	const during = samples.filter(({ at }) => at > from && at <= to + 2 * sampleEveryMs);
	const last = before.at(-1);
	if (last === undefined || during.length === 0) return {};
	const level = median(before.map(({ resident }) => resident));
	const trace = during.map(({ at, peak, resident }) => ({
		seconds: (at - from) / 1_000,
		growth: Math.max(peak, resident) - level,
	}));
	const growth = Math.max(...trace.map((point) => point.growth));
	return { growth, cpu: (during.at(-1)?.cpu ?? NaN) - last.cpu, trace };
}
