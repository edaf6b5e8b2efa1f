import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';

import { runOnce } from '../lib/once.mts';
import { UserFacingError } from '../lib/errors.mts';
import { runProcess } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import type { StepOptions } from '../lib/progress.mts';
import { findClosestVersion } from './versions.mts';

/** A real n8n in a folder of this repository, ready to be started. */
export interface InstalledN8n {
	version: string;
	folder: string;
	/** Path of the Node that runs it, which is its own if its package.json depends on one, otherwise ours. */
	node: string;
	/** Path of n8n's start script. */
	n8n: string;
	/** Variables that this version needs. */
	environment: Record<string, string>;
}

export interface InstallOptions extends StepOptions {
	/** Folder for the installed versions; `.n8n-versions` by default. */
	into?: string;
}

const advice =
	'n8n could not be installed. Check the connection to your npm registry ("npm ping" tests it). If no binary of its SQLite can be downloaded, it is compiled, which needs Python 3, make and a C++ compiler. Then run it again.';

type Manifest = { name: string; dependencies: { n8n: string; node?: string } };

/** The files that decide which packages are installed. The lock is empty if the version has no folder in `dev/n8n/`. */
type PackageFiles = Record<'package.json' | 'pnpm-workspace.yaml' | 'pnpm-lock.yaml', string>;

/**
 * Installs an n8n into `.n8n-versions/n8n-<version>`, or finds it there in milliseconds. After an interrupted installation,
 * it downloads only what is missing. The packages of a version that has a folder in `dev/n8n/` are those of its lock file.
 * Any other version has the Node, the settings and the variables of the most similar one, and pnpm resolves its packages.
 *
 * @throws {UserFacingError} if it cannot be installed here, with the reason and advice in the message
 */
export async function installN8n(
	version: string,
	options: InstallOptions = {},
): Promise<InstalledN8n> {
	const { into = path.join(root, '.n8n-versions'), onStep = () => {}, signal } = options;
	const model = findClosestVersion(version);
	const read = async (name: string) =>
		await readFile(path.join(root, `dev/n8n/n8n-${model}`, name), 'utf8');
	const manifest = JSON.parse(await read('package.json')) as Manifest;
	manifest.name = `n8n-${version}`;
	manifest.dependencies.n8n = version;
	const files: PackageFiles = {
		'package.json': `${JSON.stringify(manifest, null, '\t')}\n`,
		'pnpm-workspace.yaml': await read('pnpm-workspace.yaml'),
		'pnpm-lock.yaml': version === model ? await read('pnpm-lock.yaml') : '',
	};
	const folder = path.join(into, `n8n-${version}`);
	const readSources = async () => Object.values(files);
	const onWait = () => onStep('Waiting for another process that installs n8n');
	await runOnce(folder, readSources, { onWait, signal }, async () => {
		onStep(`Installing n8n ${version} (about 2 GB of disk space, once, usually 2 minutes)`);
		await install(folder, files, signal);
	});
	const modules = path.join(folder, 'node_modules');
	const environment = await read('environment.json').catch(() => '{}');
	const bringsNode = manifest.dependencies.node !== undefined;
	return {
		version,
		folder,
		node: bringsNode ? path.join(modules, 'node/bin/node') : process.execPath,
		n8n: path.join(modules, 'n8n/bin/n8n'),
		environment: JSON.parse(environment) as Record<string, string>,
	};
}

/**
 * Runs the pnpm of our package.json.
 *
 * @throws {UserFacingError} if it fails
 */
async function install(folder: string, files: PackageFiles, signal?: AbortSignal): Promise<void> {
	const settings = files['pnpm-workspace.yaml'];
	const hasLock = files['pnpm-lock.yaml'] !== '';
	const logFile = path.join(folder, 'install.log');
	const env = {
		...process.env,
		// `npm run` puts the `ignore-scripts` of our .npmrc into the environment, but SQLite needs its own install script.
		npm_config_ignore_scripts: 'false',
		// With less optimization, SQLite compiles in half the time.
		CFLAGS: '-O1',
	};
	const runPnpm = async (workspace: string) => {
		await writeFile(path.join(folder, 'pnpm-workspace.yaml'), workspace);
		const args = [
			path.join(root, 'node_modules/pnpm/bin/pnpm.cjs'),
			'install',
			hasLock ? '--frozen-lockfile' : '--no-frozen-lockfile',
			// The installed versions share most of their packages, and what was compiled for them.
			`--config.store-dir=${path.join(path.dirname(folder), 'store')}`,
			`--config.pnpmfile=${path.join(root, 'dev/n8n/pnpmfile.cjs')}`,
			// After a move of the repository, the store has another path, and pnpm would ask whether to start again.
			'--config.confirm-modules-purge=false',
		];
		return await runProcess(process.execPath, args, { cwd: folder, env, logFile, signal });
	};
	await writeFile(path.join(folder, 'package.json'), files['package.json']);
	if (hasLock) await writeFile(path.join(folder, 'pnpm-lock.yaml'), files['pnpm-lock.yaml']);
	// A version without a lock file has the overrides of another one, which are for registries that lack a package. It is
	// first installed without them.
	const { overrides, ...withoutOverrides } = parse(settings) as { overrides?: unknown };
	let result = await runPnpm(hasLock ? settings : stringify(withoutOverrides));
	if (!hasLock && result.code !== 0) result = await runPnpm(settings);
	if (result.code === 0) return;
	const [reason = ''] = /^\sE[A-Z]\w+\s.*/m.exec(result.output) ?? [];
	throw new UserFacingError(`${advice} The complete output is in ${logFile}.${reason}`);
}
