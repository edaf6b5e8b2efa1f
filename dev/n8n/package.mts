// Builds and packs this package, and puts it where n8n keeps packages that it installed from the registry.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { runOnce } from '../lib/once.mts';
import { readErrorCode, takeLastLines, UserFacingError } from '../lib/errors.mts';
import { runProcess } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import type { StepOptions } from '../lib/progress.mts';

const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
const { name, version } = JSON.parse(manifest) as { name: string; version: string };

/** Where the package is built, and from where every n8n gets it. */
const folder = path.join(root, '.cache/package');
const tarball = path.join(folder, `${name}-${version}.tgz`);

/** Everything that decides what is in the package. The lock pins the compiler and the bundler. */
const sources = [
	'credentials',
	'nodes',
	'icons',
	'gulpfile.js',
	'dev/scripts/opusWasm.cjs',
	'dev/scripts/opusWasm.LICENSE.txt',
	'package.json',
	'package-lock.json',
	'tsconfig.json',
	'README.md',
	'LICENSE',
];

/**
 * Builds and packs this package, unless that has been done for exactly these sources.
 *
 * @returns path of the tarball
 * @throws {UserFacingError} if the build fails
 */
export async function packPackage({
	onStep = () => {},
	signal,
}: StepOptions = {}): Promise<string> {
	const onWait = () => onStep('Waiting for another process that builds the package');
	await runOnce(folder, readSources, { onWait, signal }, async () => {
		onStep('Building the package (usually 20 seconds)');
		await runNpm(['run', 'build'], signal);
		await runNpm(['pack', '--pack-destination', folder], signal);
	});
	return tarball;
}

async function runNpm(args: string[], signal?: AbortSignal) {
	const options = { cwd: root, logFile: path.join(folder, 'build.log'), signal };
	const { code, output } = await runProcess('npm', args, options);
	if (code === 0) return;
	throw new UserFacingError(
		`The package could not be built ("npm run build" in this folder shows the same). The end of the output:\n${takeLastLines(output)}`,
	);
}

/** @returns path and content of each source and of what was built, in a fixed order */
async function readSources(): Promise<string[]> {
	const contents = await Promise.all(sources.map(readFiles));
	// Nothing may have been built yet, or another process may be building.
	const built = await readFiles('dist').catch((error: unknown) => {
		if (readErrorCode(error) !== 'ENOENT') throw error;
		return [];
	});
	return [...contents, built].flat();
}

/** @param source a file or a folder */
async function readFiles(source: string): Promise<string[]> {
	const start = path.join(root, source);
	if ((await stat(start)).isFile()) return [start, await readFile(start, 'base64')];
	const names = (await readdir(start)).sort();
	const contents = names.map((name) => readFiles(path.join(source, name)));
	return (await Promise.all(contents)).flat();
}

/**
 * Unpacks a tarball as n8n's own installation does, and adds its package to the list of community packages. (The entry in
 * n8n's database only shows it under "Settings > Community nodes". n8n loads it without.)
 *
 * @param userFolder n8n's user folder
 */
export async function placePackage(tarball: string, userFolder: string): Promise<void> {
	const nodes = path.join(userFolder, '.n8n/nodes');
	const target = path.join(nodes, 'node_modules', name);
	await rm(target, { recursive: true, force: true });
	await mkdir(target, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
	const list = path.join(nodes, 'package.json');
	const text = await readFile(list, 'utf8').catch(() => '{ "private": true }');
	const installed = JSON.parse(text) as { dependencies?: Record<string, string> };
	installed.dependencies = { ...installed.dependencies, [name]: version };
	await writeFile(list, JSON.stringify(installed, null, 2));
}
