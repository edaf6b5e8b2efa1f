import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { placePackage } from '../../n8n/package.mts';
import { median } from '../claims.mts';
import type { Bench } from '../candidates.mts';
import type { Outcome } from '../claims.mts';

/** Loads the package as n8n does, in a process in which n8n-workflow is loaded already, and prints the time. */
const script = `
	require('n8n-workflow');
	const folder = process.argv[1];
	const { n8n } = require(folder + '/package.json');
	const from = performance.now();
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		for (const Class of Object.values(require(folder + '/' + file))) {
			if (typeof Class === 'function') new Class();
		}
	}
	process.stdout.write(String(performance.now() - from));
`;

/** What the package costs before it is used. */
export async function load({ folder, host, tarball, options, onStep }: Bench): Promise<Outcome> {
	onStep('loading the package');
	const userFolder = join(folder, 'load');
	await mkdir(userFolder, { recursive: true });
	const { name } = await placePackage(tarball, userFolder);
	const path = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
	const milliseconds = Array.from({ length: options.quick ? 3 : 15 }, () => {
		const { stdout, stderr, status } = spawnSync(host.node, ['-e', script, path], {
			env: { ...process.env, NODE_PATH: join(host.folder, 'node_modules') },
			encoding: 'utf8',
		});
		if (status !== 0) throw new Error(`The package could not be loaded: ${stderr}`);
		return Number(stdout);
	});
	await rm(userFolder, { recursive: true, force: true });
	const { stdout } = spawnSync('tar', ['-tvzf', tarball], { encoding: 'utf8' });
	const sizes = stdout
		.trim()
		.split('\n')
		.map((line) => Number(line.trim().split(/\s+/)[2]));
	return {
		title: 'loading the package',
		rows: [],
		claims: [
			{
				what: `time, median of ${milliseconds.length} fresh processes`,
				value: median(milliseconds),
				text: (value) => `${value.toFixed(1)} ms`,
				bar: 10,
			},
			{
				what: 'unpacked size',
				value: sizes.reduce((sum, size) => sum + size, 0),
				text: (bytes) => `${(bytes / 1_000).toFixed(0)} kB`,
				// 132 kB of it are the Opus decoder, which is loaded when a recording is converted.
				bar: 450_000,
			},
		],
	};
}
