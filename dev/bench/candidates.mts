import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { names } from './claims.mts';
import { startN8n } from './n8n.mts';
import { settled } from './process.mts';
import type { Options } from './options.mts';
import type { Host } from '../n8n/install.mts';
import type { Service } from './service.mts';
import type { Measured, N8n } from './n8n.mts';
import type { Access, Node } from './nodes.mts';
import type { Candidate } from './compare.mts';

const execute = promisify(execFile);

/** Everything that a case needs. */
export interface Bench {
	options: Options;
	host: Host;
	/** of this package */
	tarball: string;
	service: Service;
	/** of the service for this case */
	url: string;
	/** for all candidates, in a quick run */
	n8n?: N8n;
	/** where everything is kept until the end */
	folder: string;
	/** the folder that n8n may read */
	files: string;
	onStep: (title: string) => void;
}

/**
 * A candidate that is a node in its own n8n.
 * @param steps of the workflow; the last one is measured
 * @param check checks each result before its files in n8n's storage are deleted
 */
export function inN8n<Load>(
	bench: Bench,
	name: string,
	steps: (access: Access, load: Load) => Node[],
	check?: (run: Measured, storage: string, load: Load) => Promise<void>,
): Candidate<Load> {
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
 * @param before the nodes in front of it
 */
export const nodesInN8n = <Load,>(
	bench: Bench,
	before: (load: Load) => Node[],
	nodes: [name: string, node: (access: Access) => Node][],
): Candidate<Load>[] =>
	nodes.map(([name, node]) =>
		inN8n(bench, name, (access, load) => [...before(load), node(access)]),
	);

/**
 * curl: about as fast as a file can be transferred.
 * @param argumentsFor behind those that all calls have
 */
export const curl = <Load,>(
	{ service }: Bench,
	argumentsFor: (load: Load) => string[],
): Candidate<Load> => ({
	name: names.curl,
	async run(load) {
		const args = ['-sS', '--fail', '--cacert', service.certificate, '-w', '\n%{time_total}'];
		const { stdout } = await execute('curl', [...args, ...argumentsFor(load)]);
		return { seconds: Number(stdout.trim().split('\n').at(-1)) };
	},
});
