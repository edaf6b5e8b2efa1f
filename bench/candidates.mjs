import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startN8n } from './n8n.mjs';
import { settled } from './process.mjs';
import { profileSettings, readProfile, timeIn } from './profile.mjs';

/** Names of the candidates that run inside n8n. */
export const names = { node: 'this node', httpRequest: 'HTTP Request node' };

/**
 * All that the cases need.
 * @typedef {object} Bench
 * @property {import('./options.mjs').Options} options
 * @property {import('../hosts/install.mjs').Host} host
 * @property {string} tarball of this package
 * @property {import('./service.mjs').Service} service
 * @property {string} folder where everything is kept until the end
 * @property {string} files the folder that n8n may read
 * @property {(title: string) => void} onStep
 * @property {(text: string) => void} print
 */

/**
 * A candidate that is a node in an n8n of its own.
 * @template Load
 * @param {Bench} bench
 * @param {string} name
 * @param {(reach: import('./nodes.mjs').Reach, load: Load) => import('./nodes.mjs').Node[]} steps
 *   of the workflow; the last one is measured
 * @param {(run: import('./n8n.mjs').Measure, n8n: import('./n8n.mjs').N8n) => Promise<void>} [look]
 *   at each result before its files are deleted
 * @returns {import('./race.mjs').Candidate<Load>}
 */
export function inN8n(bench, name, steps, look) {
	const { host, tarball, folder, files, service, options } = bench;
	const place = join(folder, name.replace(/\W+/g, '-').toLowerCase());
	const profiles = `${place}-profiles`;
	/** @type {import('./n8n.mjs').N8n | undefined} */
	let n8n;
	/** @type {import('./n8n.mjs').Measure | undefined} */
	let last;
	return {
		name,
		async start() {
			await rm(profiles, { recursive: true, force: true });
			if (options.profile) await mkdir(profiles, { recursive: true });
			const environment = options.profile ? profileSettings(profiles) : {};
			const settings = { url: service.url, environment, nodeFlags: options.nodeFlags };
			n8n = await startN8n({ host, tarball, folder: place, files, ...settings });
			await settled(n8n.pid);
		},
		async run(load) {
			if (!n8n) throw new Error('n8n was not started');
			last = await n8n.measure(steps(n8n.reach, load));
			await look?.(last, n8n);
			return last;
		},
		rest: async () => await n8n?.clear(),
		async stop() {
			if (!n8n) return;
			await n8n.stop();
			if (options.profile && last) {
				const profile = await readProfile(profiles, n8n.pid);
				bench.print(profileText(name, timeIn(profile, last.from, last.to)));
				await rm(profiles, { recursive: true, force: true });
			}
		},
	};
}

/** @param {string} name @param {ReturnType<typeof timeIn>} times */
function profileText(name, { total, self, inclusive }) {
	const lines = (/** @type {[string, number][]} */ ranked) =>
		ranked
			.slice(0, 30)
			.map(([frame, ms]) => `${Math.round(ms).toString().padStart(8)} ms  ${frame}`);
	return [
		`\nThe last run of ${name}, ${Math.round(total)} ms. In the function itself:`,
		...lines(self),
		'With what it calls:',
		...lines(inclusive),
		'',
	].join('\n');
}
