// Packs this package and puts it where an n8n that installed it from the registry holds it.
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { Problem } from './problem.mjs';
import { fingerprint } from './stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Beside what the demo keeps: a packed package is the same for every user folder. */
const folder = join(root, '.demo', 'package');

/** Everything that decides what is in the package. */
const sources = [
	...['credentials', 'nodes', 'icons'],
	...['package.json', 'tsconfig.json', 'gulpfile.js', 'README.md', 'LICENSE'],
];

/**
 * Builds and packs this package, unless that has been done for exactly these sources.
 * @param {object} [options]
 * @param {(step: string, usually: string) => void} [options.onStep] called before each long step
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<string>} path of the tarball
 * @throws {Problem} when the build fails
 */
export async function packPackage({ onStep = () => {}, signal } = {}) {
	await mkdir(folder, { recursive: true });
	const onWait = () =>
		onStep('Waiting for another process that packs the package', 'half a minute');
	return await withLock(
		`${folder}.lock`,
		{ onWait, signal },
		async () => await pack(onStep, signal),
	);
}

/**
 * @param {(step: string, usually: string) => void} onStep
 * @param {AbortSignal} [signal]
 */
async function pack(onStep, signal) {
	const stamp = join(folder, 'packed.json');
	const wanted = fingerprint(await contents(sources.map((name) => join(root, name))));
	const packed = await readFile(stamp, 'utf8').then(JSON.parse, () => ({}));
	const names = await readdir(folder);
	if (packed.fingerprint === wanted && names.includes(packed.tarball)) {
		return join(folder, packed.tarball);
	}
	for (const name of names) {
		if (name.endsWith('.tgz')) await rm(join(folder, name));
	}
	const logFile = join(folder, 'build.log');
	onStep('Building the package', 'about 20 seconds');
	await npmOrProblem(['run', 'build'], { logFile, signal, what: 'built' });
	onStep('Packing it', 'a second');
	await npmOrProblem(['pack', '--pack-destination', folder], { logFile, signal, what: 'packed' });
	const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new Error(`npm pack left no tarball in ${folder}`);
	await writeFile(stamp, JSON.stringify({ fingerprint: wanted, tarball }, null, '\t'));
	return join(folder, tarball);
}

/**
 * @param {string[]} args
 * @param {{logFile: string, signal?: AbortSignal, what: string}} options
 */
async function npmOrProblem(args, { logFile, signal, what }) {
	const { code, output } = await runNpm(args, { cwd: root, logFile, signal });
	if (code === 0) return;
	const last = output.trim().split('\n').slice(-8).join('\n  ');
	throw new Problem(
		`The package could not be ${what} ("npm ${args[0]} ${args[1]}" in this folder shows the same). The end of what it said:\n  ${last}`,
	);
}

/**
 * @param {string[]} paths files and folders
 * @returns {Promise<string[]>} name and content of every file in them, in a fixed order
 */
async function contents(paths) {
	const found = [];
	for (const path of paths) {
		const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
		if (entries) {
			const inside = entries.map(({ name }) => join(path, name)).sort();
			found.push(...(await contents(inside)));
		} else {
			found.push(path, await readFile(path, 'base64').catch(() => ''));
		}
	}
	return found;
}

/**
 * What n8n knows of an installed community package.
 * @typedef {{name: string, version: string, author?: {name?: string, email?: string}}} Manifest
 */

/**
 * Unpacks a tarball as n8n's own installation does: the files, the package.json without the fields that
 * are for developers, and the entry in the list of community packages. (The entry in n8n's database is
 * made by `recordPackage`, which needs a database.)
 * @param {string} tarball
 * @param {string} userFolder n8n's user folder
 * @returns {Promise<Manifest>}
 */
export async function placePackage(tarball, userFolder) {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const { name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	const folder = join(nodes, 'node_modules', name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	// By its bare name, from its own folder: some versions of tar read "C:" as the name of a machine.
	const args = ['-xzf', basename(tarball), '-C', folder, '--strip-components=1'];
	const tar = spawnSync('tar', args, { cwd: dirname(tarball), encoding: 'utf8' });
	if (tar.status !== 0) {
		throw new Problem(`"tar" could not unpack the package: ${tar.stderr || tar.error?.message}`);
	}
	const file = join(folder, 'package.json');
	const manifest = JSON.parse(await readFile(file, 'utf8'));
	for (const field of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		delete manifest[field];
	}
	await writeFile(file, JSON.stringify(manifest, null, 2));
	const list = join(nodes, 'package.json');
	const ledger = await readFile(list, 'utf8').then(JSON.parse, () => ({}));
	await writeFile(
		list,
		JSON.stringify(
			{
				name: 'installed-nodes',
				private: true,
				...ledger,
				dependencies: { ...ledger.dependencies, [name]: manifest.version },
			},
			null,
			2,
		),
	);
	return manifest;
}
