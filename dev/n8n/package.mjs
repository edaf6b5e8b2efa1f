// Builds and packs this package, and puts it where n8n keeps packages that it installed from the registry.
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { Problem } from './problem.mjs';
import { fingerprint } from './stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** In the demo's folder, but the same for every user folder. */
const folder = join(root, '.demo', 'package');
const dist = join(root, 'dist');

/** Everything that decides what is in the package: the lock pins the compiler and the bundler. */
const sources = [
	...['credentials', 'nodes', 'icons', 'gulpfile.js'],
	...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'LICENSE'],
].map((name) => join(root, name));

/** @typedef {{onStep?: (step: string, usually: string) => void, signal?: AbortSignal}} Options `onStep` is called before each long step */

/**
 * Builds this package, unless `dist` is what these sources were built into.
 * @param {Options} [options]
 * @returns {Promise<string>} the output of the build, if it was necessary
 * @throws {Problem} when the build fails
 */
export async function buildPackage(options = {}) {
	return await alone(options, async () => await build(options));
}

/**
 * Builds and packs this package, unless that has been done for exactly these sources.
 * @param {Options} [options]
 * @returns {Promise<string>} path of the tarball
 * @throws {Problem} when the build fails
 */
export async function packPackage(options = {}) {
	return await alone(options, async () => {
		await build(options);
		const packed = join(folder, `${await fingerprintOf([...sources, dist])}.tgz`);
		if (await exists(packed)) return packed;
		const into = join(folder, 'packing');
		await rm(into, { recursive: true, force: true });
		await mkdir(into);
		options.onStep?.('Packing it', 'a second');
		await npmOrProblem(['pack', '--pack-destination', into], { ...options, what: 'packed' });
		const [tarball] = await readdir(into);
		if (!tarball) throw new Error(`npm pack left no tarball in ${into}`);
		for (const name of await readdir(folder)) {
			if (name.endsWith('.tgz')) await rm(join(folder, name));
		}
		await rename(join(into, tarball), packed);
		return packed;
	});
}

/** @param {Options} options */
async function build({ onStep, signal }) {
	const record = join(folder, 'built');
	const inputs = [...sources, dist];
	const built = await readFile(record, 'utf8').catch(() => '');
	if ((await exists(dist)) && built === (await fingerprintOf(inputs))) return '';
	onStep?.('Building the package', 'about 20 seconds');
	const output = await npmOrProblem(['run', 'build'], { signal, what: 'built' });
	await writeFile(record, await fingerprintOf(inputs));
	return output;
}

/**
 * @template T
 * @param {Options} options
 * @param {() => Promise<T>} task
 */
async function alone({ onStep, signal }, task) {
	await mkdir(folder, { recursive: true });
	const onWait = () =>
		onStep?.('Waiting for another process that builds the package', 'half a minute');
	return await withLock(`${folder}.lock`, { onWait, signal }, task);
}

/**
 * @param {string[]} args
 * @param {{signal?: AbortSignal, what: string}} options
 */
async function npmOrProblem(args, { signal, what }) {
	const logFile = join(folder, 'build.log');
	const { code, output } = await runNpm(args, { cwd: root, logFile, signal });
	if (code === 0) return output;
	const last = output.trim().split('\n').slice(-8).join('\n  ');
	throw new Problem(
		`The package could not be ${what} ("npm ${args[0]} ${args[1]}" in this folder shows the same). The end of what it said:\n  ${last}`,
	);
}

/** @param {string[]} paths files and folders */
const fingerprintOf = async (paths) => fingerprint(await contents(paths));

/** @param {string} path */
const exists = async (path) => (await stat(path).catch(() => undefined)) !== undefined;

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
 * Unpacks a tarball as n8n's own installation does: the files, the package.json without the fields for developers, and
 * the entry in the list of community packages. (`recordPackage` adds the entry in n8n's database.)
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
	// By its bare name, from its own folder: some versions of tar take "C:" for a host name.
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
	const before = await readFile(list, 'utf8').then(JSON.parse, () => ({}));
	const dependencies = { ...before.dependencies, [name]: manifest.version };
	const installed = { name: 'installed-nodes', private: true, ...before, dependencies };
	await writeFile(list, JSON.stringify(installed, null, 2));
	return manifest;
}
