// Builds and packs this package, and puts it where n8n keeps packages that it installed from the registry.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { root } from '../lib/root.cjs';
import { fingerprint } from '../lib/fingerprint.mts';
import { withLock } from '../lib/lock.mts';
import { runNpm } from '../lib/npm.mts';
import { Problem } from '../lib/problem.mts';

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** In the demo's folder, but the same for every user folder. */
const folder = join(root, '.demo', 'package');
const tarball = join(folder, `${name}-${version}.tgz`);

/** Everything that decides what is in the package (the lock pins the compiler and the bundler), and what was built. */
const inputs = [
	...['credentials', 'nodes', 'icons', 'gulpfile.js'],
	...['dev/scripts/opus-wasm.cjs', 'dev/scripts/opus-wasm.LICENSE.txt'],
	...['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'LICENSE', 'dist'],
].map((path) => join(root, path));

/** `onStep` is called before each long step */
type Options = { onStep?: (step: string, usually: string) => void; signal?: AbortSignal };

/**
 * Builds and packs this package, unless that has been done for exactly these sources.
 * @returns the output of the build, if it was necessary
 * @throws {Problem} when the build fails
 */
export async function buildPackage({ onStep, signal }: Options = {}): Promise<string> {
	const npm = async (...args: string[]) => {
		const logFile = join(folder, 'build.log');
		const { code, output } = await runNpm(args, { cwd: root, logFile, signal });
		if (code === 0) return output;
		const last = output.trim().split('\n').slice(-8).join('\n  ');
		throw new Problem(
			`The package could not be built ("npm run build" in this folder shows the same). The end of the output:\n  ${last}`,
		);
	};
	const record = join(folder, 'built');
	const onWait = () =>
		onStep?.('Waiting for another process that builds the package', 'half a minute');
	await mkdir(folder, { recursive: true });
	return await withLock(`${folder}.lock`, { onWait, signal }, async () => {
		const built = await readFile(record, 'utf8').catch(() => '');
		if (existsSync(tarball) && built === fingerprint(await contents(inputs))) return '';
		onStep?.('Building the package', 'about 20 seconds');
		const output = await npm('run', 'build');
		await npm('pack', '--pack-destination', folder);
		await writeFile(record, fingerprint(await contents(inputs)));
		return output;
	});
}

/**
 * Builds and packs this package if necessary.
 * @returns path of the tarball
 * @throws {Problem} when the build fails
 */
export async function packPackage(options?: Options): Promise<string> {
	await buildPackage(options);
	return tarball;
}

/**
 * @param paths files and folders
 * @returns name and content of every file in them, in a fixed order
 */
async function contents(paths: string[]): Promise<string[]> {
	const found = [];
	for (const path of paths) {
		const names = await readdir(path).catch(() => undefined);
		if (names) found.push(...(await contents(names.sort().map((one) => join(path, one)))));
		else found.push(path, await readFile(path, 'base64').catch(() => ''));
	}
	return found;
}

/** What n8n knows of an installed community package. */
export type Manifest = {
	name: string;
	version: string;
	author?: { name?: string; email?: string };
};

/**
 * Unpacks a tarball as n8n's own installation does: the files, and the entry in the list of community packages.
 * (`recordPackage` adds the entry in n8n's database.)
 * @param userFolder n8n's user folder
 */
export async function placePackage(tarball: string, userFolder: string): Promise<Manifest> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const folder = join(nodes, 'node_modules', name);
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	// By its bare name, from its own folder: some versions of tar take "C:" for a host name.
	const args = ['-xzf', basename(tarball), '-C', folder, '--strip-components=1'];
	const tar = spawnSync('tar', args, { cwd: dirname(tarball), encoding: 'utf8' });
	if (tar.status !== 0) {
		throw new Problem(`"tar" could not unpack the package: ${tar.stderr || tar.error?.message}`);
	}
	const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
	const list = join(nodes, 'package.json');
	const before = await readFile(list, 'utf8').then(JSON.parse, () => ({}));
	const dependencies = { ...before.dependencies, [name]: manifest.version };
	const installed = { name: 'installed-nodes', private: true, ...before, dependencies };
	await writeFile(list, JSON.stringify(installed, null, 2));
	return manifest;
}
