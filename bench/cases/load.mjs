import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placePackage } from '../../hosts/package.mjs';
import { median } from '../units.mjs';

const script = fileURLToPath(new URL('../clients/load-main.cjs', import.meta.url));

/**
 * What the package costs where nobody uses it yet.
 * @param {import('../candidates.mjs').Bench} bench
 * @returns {Promise<import('../outcome.mjs').Outcome>}
 */
export async function load({ folder, host, tarball, options, onStep }) {
	onStep('loading the package');
	const place = join(folder, 'load');
	await mkdir(place, { recursive: true });
	const { name } = await placePackage(tarball, place);
	const path = join(place, '.n8n', 'nodes', 'node_modules', name);
	/** @type {number[]} */
	const milliseconds = [];
	for (let run = 0; run < (options.quick ? 3 : 15); run++) {
		const { stdout, stderr, status } = spawnSync(host.node, [script, path], {
			env: { ...process.env, NODE_PATH: join(host.folder, 'node_modules') },
			encoding: 'utf8',
		});
		if (status !== 0) throw new Error(`The package could not be loaded: ${stderr}`);
		milliseconds.push(Number(stdout));
	}
	await rm(place, { recursive: true, force: true });
	const kilobytes = (/** @type {number} */ value) => `${(value / 1_000).toFixed(0)} kB`;
	return {
		title: 'loading the package',
		rows: [],
		claims: [
			{
				what: `time, median of ${milliseconds.length} fresh processes`,
				value: median(milliseconds),
				text: (value) => `${value.toFixed(1)} ms`,
				bar: 20,
				mark: 5,
			},
			{
				what: 'unpacked size',
				value: unpackedSize(tarball),
				text: kilobytes,
				bar: 200_000,
				mark: 100_000,
			},
		],
	};
}

/** @param {string} tarball @returns {number} bytes of its files, as npm counts them */
function unpackedSize(tarball) {
	const { stdout } = spawnSync('tar', ['-tvzf', tarball], { encoding: 'utf8' });
	return stdout
		.trim()
		.split('\n')
		.reduce((sum, line) => sum + Number(line.trim().split(/\s+/)[2]), 0);
}
