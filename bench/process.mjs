import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A process at one moment.
 * @typedef {object} Sample
 * @property {number} at milliseconds since 1970
 * @property {number} resident memory, in bytes
 * @property {number} peak the highest level since the sample before
 * @property {number} cpu seconds of processor time since the process began
 */

const everyMs = 50;

/** How long memory must stay as it is, and how long that is waited for, in milliseconds. */
const restMs = 10_000;
const longestRestMs = 60_000;

/** Linux tells processor time in hundredths of a second, on every machine. */
const ticks = 100;

/** @param {string} status content of /proc/<pid>/status @param {string} name */
function bytesOf(status, name) {
	return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) * 1_024;
}

/** @param {string} stat content of /proc/<pid>/stat */
function cpuOf(stat) {
	// The second field is the program's name in brackets, with spaces at times.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) / ticks;
}

/**
 * Watches memory and processor time of a process. No peak between two looks is missed: Linux keeps the highest
 * level, and begins anew when told so. Where there is no /proc, nothing is measured.
 * @param {number} pid
 * @returns {() => Sample[]} ends the watching
 */
export function watchProcess(pid) {
	/** @type {Sample[]} */
	const samples = [];
	const look = () => {
		try {
			const at = Date.now();
			const cpu = cpuOf(readFileSync(`/proc/${pid}/stat`, 'latin1'));
			const status = readFileSync(`/proc/${pid}/status`, 'latin1');
			const resident = bytesOf(status, 'VmRSS');
			samples.push({ at, cpu, resident, peak: bytesOf(status, 'VmHWM') });
			writeFileSync(`/proc/${pid}/clear_refs`, '5');
		} catch {
			// Not Linux, or the process has ended.
		}
	};
	look();
	const timer = setInterval(look, everyMs);
	return () => {
		clearInterval(timer);
		look();
		return samples;
	};
}

/**
 * Waits until a process' memory stays as it is: V8 tidies up what n8n's start leaves only some seconds later.
 * @param {number} pid
 */
export async function settled(pid) {
	const residentNow = () => {
		try {
			return bytesOf(readFileSync(`/proc/${pid}/status`, 'latin1'), 'VmRSS');
		} catch {
			return NaN;
		}
	};
	let level = residentNow();
	let since = Date.now();
	for (
		const end = since + longestRestMs;
		Date.now() < Math.min(end, since + restMs);
		await sleep(500)
	) {
		const resident = residentNow();
		if (Math.abs(resident - level) < level / 100) continue;
		level = resident;
		since = Date.now();
	}
}

/**
 * What a process used in a span of time.
 * @param {Sample[]} samples
 * @param {number} from milliseconds since 1970
 * @param {number} to
 * @returns {{growth?: number, cpu?: number}} bytes above the level before, and seconds of processor time; nothing where it could not be watched
 */
export function usedBetween(samples, from, to) {
	const before = samples.filter(({ at }) => at >= from - 1_000 && at <= from);
	const during = samples.filter(({ at }) => at > from && at <= to + 2 * everyMs);
	const last = before.at(-1);
	if (last === undefined || during.length === 0) return {};
	const levels = before.map(({ resident }) => resident).sort((a, b) => a - b);
	const level = levels[Math.floor(levels.length / 2)] ?? NaN;
	const peak = Math.max(...during.map((sample) => Math.max(sample.peak, sample.resident)));
	return { growth: peak - level, cpu: (during.at(-1)?.cpu ?? NaN) - last.cpu };
}
