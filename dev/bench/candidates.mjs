import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { names } from './claims.mjs';
import { startN8n } from './n8n.mjs';
import { settled } from './process.mjs';

const execute = promisify(execFile);

/**
 * Everything that a case needs.
 * @typedef {object} Bench
 * @property {import('./options.mjs').Options} options
 * @property {import('../n8n/install.mjs').Host} host
 * @property {string} tarball of this package
 * @property {import('./service.mjs').Service} service
 * @property {string} url of the service for this case
 * @property {import('./n8n.mjs').N8n} [n8n] for all candidates, in a quick run
 * @property {string} folder where everything is kept until the end
 * @property {string} files the folder that n8n may read
 * @property {(title: string) => void} onStep
 */

/**
 * A candidate that is a node in its own n8n.
 * @template Load
 * @param {Bench} bench
 * @param {string} name
 * @param {(access: import('./nodes.mjs').Access, load: Load) => import('./nodes.mjs').Node[]} steps
 *   of the workflow; the last one is measured
 * @param {(run: import('./n8n.mjs').Measured, storage: string, load: Load) => Promise<void>} [check]
 *   checks each result before its files in n8n's storage are deleted
 * @returns {import('./compare.mjs').Candidate<Load>}
 */
export function inN8n(bench, name, steps, check) {
	let { n8n } = bench;
	return {
		name,
		async start() {
			if (n8n) return;
			n8n = await startN8n(bench, name);
			await settled(n8n.pid);
		},
		async run(load) {
			if (!n8n) throw new Error('n8n was not started');
			const measured = await n8n.measure(steps(await n8n.accessTo(bench.url), load));
			await check?.(measured, n8n.storage, load);
			await n8n.clear();
			return measured;
		},
		async stop() {
			if (n8n !== bench.n8n) await n8n?.stop();
			n8n = bench.n8n;
		},
	};
}

/**
 * Candidates that differ only in the measured node.
 * @template Load
 * @param {Bench} bench
 * @param {(load: Load) => import('./nodes.mjs').Node[]} before the nodes in front of it
 * @param {[name: string, node: (access: import('./nodes.mjs').Access) => import('./nodes.mjs').Node][]} nodes
 * @returns {import('./compare.mjs').Candidate<Load>[]}
 */
export const nodesInN8n = (bench, before, nodes) =>
	nodes.map(([name, node]) =>
		inN8n(bench, name, (access, load) => [...before(load), node(access)]),
	);

/**
 * curl: about as fast as a file can be transferred.
 * @template Load
 * @param {Bench} bench
 * @param {(load: Load) => string[]} argumentsFor behind those that all calls have
 * @returns {import('./compare.mjs').Candidate<Load>}
 */
export const curl = ({ service }, argumentsFor) => ({
	name: names.curl,
	async run(load) {
		const args = ['-sS', '--fail', '--cacert', service.certificate, '-w', '\n%{time_total}'];
		const { stdout } = await execute('curl', [...args, ...argumentsFor(load)]);
		return { seconds: Number(stdout.trim().split('\n').at(-1)) };
	},
});
