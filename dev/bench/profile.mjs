// Where the time of a node goes: the part of the profile of the entire n8n process that belongs to the node's run.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A `.cpuprofile`; times in microseconds of the machine's monotonic clock.
 * @typedef {{id: number, callFrame: {functionName: string, url: string, lineNumber: number}, children?: number[]}} Frame
 * @typedef {{nodes: Frame[], samples: number[], timeDeltas: number[], startTime: number}} Profile
 */

/** @param {string} folder for the profile @returns {Record<string, string>} environment of n8n */
export const profileSettings = (folder) => ({
	NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=1000 --cpu-prof-dir=${folder}`,
});

/** @param {number} at milliseconds since 1970 @returns {number} microseconds of the monotonic clock */
function monotonic(at) {
	return (Number(process.hrtime.bigint()) / 1e6 - Date.now() + at) * 1_000;
}

/** @param {Frame['callFrame']} frame @returns {string} function, file and line; the path starts at its module */
function frameText({ functionName, url, lineNumber }) {
	const file = url.replace(/^.*node_modules\//, '').replace(/^file:\/\//, '');
	return `${functionName || '(anonymous)'} ${file ? `${file}:${lineNumber + 1}` : ''}`.trim();
}

/**
 * @param {string} name of the candidate
 * @param {string} folder of the profiles that n8n wrote when it ended
 * @param {number} pid of n8n's main process
 * @param {{from: number, to: number}} run in milliseconds since 1970
 * @returns {Promise<string>} the functions with most time in the run, by themselves and with what they call
 */
export async function profileText(name, folder, pid, { from, to }) {
	const file = (await readdir(folder)).find((one) => one.split('.')[3] === String(pid));
	if (!file) throw new Error(`n8n wrote no profile into ${folder}`);
	/** @type {Profile} */
	const profile = JSON.parse(await readFile(join(folder, file), 'utf8'));
	const frames = new Map(profile.nodes.map((node) => [node.id, node]));
	const parents = new Map(
		profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
	);
	const [self, inclusive] = [new Map(), new Map()];
	const [start, end] = [monotonic(from), monotonic(to)];
	let at = profile.startTime;
	profile.samples.forEach((id, index) => {
		const spent = profile.timeDeltas[index] ?? 0;
		at += spent;
		if (at < start || at > end) return;
		const seen = new Set();
		for (let frame = frames.get(id); frame; frame = frames.get(parents.get(frame.id) ?? -1)) {
			const text = frameText(frame.callFrame);
			if (seen.size === 0) self.set(text, (self.get(text) ?? 0) + spent);
			if (!seen.has(text)) inclusive.set(text, (inclusive.get(text) ?? 0) + spent);
			seen.add(text);
		}
	});
	/** @param {Map<string, number>} times */
	const lines = (times) =>
		[...times]
			.sort(([, one], [, other]) => other - one)
			.slice(0, 30)
			.map(
				([text, time]) =>
					`${Math.round(time / 1_000)
						.toString()
						.padStart(8)} ms  ${text}`,
			);
	return [
		`\nThe last run of ${name}, ${to - from} ms. In the function itself:`,
		...[...lines(self), 'With what it calls:', ...lines(inclusive), ''],
	].join('\n');
}
