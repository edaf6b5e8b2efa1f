// Where the time of a node goes: from the profile that Node writes of the whole n8n process, the part that
// belongs to the node's run.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {{id: number, callFrame: {functionName: string, url: string, lineNumber: number}, children?: number[]}} Frame
 * @typedef {{nodes: Frame[], samples: number[], timeDeltas: number[], startTime: number}} Profile
 * times in microseconds of the machine's monotonic clock
 */

/** @param {string} folder where the profile goes @returns {Record<string, string>} settings for n8n */
export const profileSettings = (folder) => ({
	NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=1000 --cpu-prof-dir=${folder}`,
});

/**
 * Reads the profile that an n8n left when it ended.
 * @param {string} folder
 * @param {number} pid of n8n's main process
 * @returns {Promise<Profile>}
 */
export async function readProfile(folder, pid) {
	const names = await readdir(folder);
	const name = names.find((one) => one.split('.')[3] === String(pid));
	if (!name) throw new Error(`n8n left no profile in ${folder}`);
	return JSON.parse(await readFile(join(folder, name), 'utf8'));
}

/** @param {number} at milliseconds since 1970 @returns {number} microseconds of the monotonic clock */
function monotonic(at) {
	return (Number(process.hrtime.bigint()) / 1e6 - Date.now() + at) * 1_000;
}

/** @param {Frame['callFrame']} frame @returns {string} name and place, shortened to the module */
function placeOf({ functionName, url, lineNumber }) {
	const file = url.replace(/^.*node_modules\//, '').replace(/^file:\/\//, '');
	return `${functionName || '(anonymous)'} ${file ? `${file}:${lineNumber + 1}` : ''}`.trim();
}

/**
 * @param {Profile} profile
 * @param {number} from milliseconds since 1970
 * @param {number} to
 * @returns {{total: number, self: [string, number][], inclusive: [string, number][]}} milliseconds, the longest first
 */
export function timeIn(profile, from, to) {
	const frames = new Map(profile.nodes.map((node) => [node.id, node]));
	const parents = new Map(
		profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
	);
	/** @type {Map<string, number>} */
	const self = new Map();
	/** @type {Map<string, number>} */
	const inclusive = new Map();
	let total = 0;
	let at = profile.startTime;
	profile.samples.forEach((id, place) => {
		const spent = profile.timeDeltas[place] ?? 0;
		at += spent;
		if (at < monotonic(from) || at > monotonic(to)) return;
		total += spent;
		const seen = new Set();
		for (let one = frames.get(id); one; one = frames.get(parents.get(one.id) ?? -1)) {
			const name = placeOf(one.callFrame);
			if (seen.size === 0) self.set(name, (self.get(name) ?? 0) + spent);
			if (!seen.has(name)) inclusive.set(name, (inclusive.get(name) ?? 0) + spent);
			seen.add(name);
		}
	});
	return { total: total / 1_000, self: ranked(self), inclusive: ranked(inclusive) };
}

/** @param {Map<string, number>} times @returns {[string, number][]} */
function ranked(times) {
	return [...times]
		.sort(([, one], [, other]) => other - one)
		.map(([name, time]) => [name, time / 1_000]);
}
