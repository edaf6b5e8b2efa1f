import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { runOnce } from '../lib/once.mts';
import { Problem } from '../lib/problem.mts';
import { runProcess } from '../lib/processes.mts';
import type { ProcessResult } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import type { OnStep } from '../lib/progress.mts';
import { closestTo } from './versions.mts';

/** Where the versions are installed, unless the caller chooses another folder. */
const defaultFolder = join(root, '.hosts');

/** A real n8n in a folder of this repository, ready to be started. */
export interface Host {
	/** n8n's version. */
	version: string;
	/** Where it is installed. */
	folder: string;
	/** Path of the Node that runs it: its own if its package.json depends on one, otherwise ours. */
	node: string;
	/** Path of n8n's start script. */
	n8n: string;
	/** Variables that this version needs. */
	environment: Record<string, string>;
}

export interface InstallOptions {
	/** Folder for the installed versions; `.hosts` by default. */
	into?: string;
	onStep?: OnStep;
	/** Ends the installation. */
	signal?: AbortSignal;
}

type ProcessOptions = Parameters<typeof runProcess>[2];

/** What to do if a part of the installation fails. */
const advice = {
	packages:
		'n8n could not be downloaded. Check the connection to your npm registry ("npm ping" tests it), then run it again.',
	node: 'The Node that n8n needs could not be installed. Check the connection, then run it again.',
	sqlite3:
		"n8n's SQLite could neither be downloaded nor compiled. Compiling it needs Python 3, make and a C++ compiler, and downloads Node's header files. Install the tools, check the connection, then run it again.",
};

/** Part of the installation. */
type InstallStep = keyof typeof advice;

/** What decides which packages are installed, and how n8n is started. */
interface Definition {
	/** Content of package.json. */
	manifest: string;
	/** Content of pnpm-workspace.yaml. */
	settings: string;
	/** Content of pnpm-lock.yaml; missing if the version has no folder in `dev/n8n/`. */
	lock?: string;
	/** Variables that n8n needs. */
	environment: Record<string, string>;
}

/**
 * Installs an n8n into `.hosts/n8n-<version>`, or finds it there in milliseconds. After an interrupted installation, it
 * downloads only what is missing. The packages of a version that has a folder in `dev/n8n/` are those of its lock file.
 * For any other version, pnpm resolves them.
 * @throws {Problem} if it cannot be installed here, with the reason and advice in the message
 */
export async function installHost(version: string, options: InstallOptions = {}): Promise<Host> {
	const { into = defaultFolder, onStep = () => {}, signal } = options;
	const definition = await readDefinition(version);
	const folder = join(into, `n8n-${version}`);
	const modules = join(folder, 'node_modules');
	const bringsNode = JSON.parse(definition.manifest).dependencies.node !== undefined;
	const host: Host = {
		version,
		folder,
		node: bringsNode ? join(modules, 'node/bin/node') : process.execPath,
		n8n: join(modules, 'n8n/bin/n8n'),
		environment: definition.environment,
	};
	const { manifest, settings, lock = '' } = definition;
	const readSources = async () => [manifest, settings, lock];
	const onWait = () => onStep('Waiting for another process that installs n8n');
	await runOnce(folder, readSources, { onWait, signal }, async () => {
		await install(host, definition, onStep, signal);
	});
	return host;
}

/** A version without a folder has the Node, the settings and the variables of the most similar one that has a folder. */
async function readDefinition(version: string): Promise<Definition> {
	const model = closestTo(version);
	const read = async (name: string) =>
		await readFile(join(root, `dev/n8n/n8n-${model}`, name), 'utf8');
	const manifest = await read('package.json');
	return {
		manifest: manifest.replaceAll(model, version),
		settings: await read('pnpm-workspace.yaml'),
		lock: version === model ? await read('pnpm-lock.yaml') : undefined,
		environment: JSON.parse(await read('environment.json').catch(() => '{}')),
	};
}

async function install(
	host: Host,
	definition: Definition,
	onStep: OnStep,
	signal?: AbortSignal,
): Promise<void> {
	const options: ProcessOptions = {
		cwd: host.folder,
		env: {
			...process.env,
			// Native modules must fit the Node that runs n8n, not the one that runs this program.
			PATH: `${dirname(host.node)}${delimiter}${process.env.PATH ?? ''}`,
			// SQLite compiles in half the time.
			CFLAGS: '-O1',
		},
		logFile: join(host.folder, 'install.log'),
		signal,
	};
	onStep(`Downloading n8n ${host.version} (about 1.5 GB on disk, once)`, '1 to 2 minutes');
	await installPackages(host, definition, options);
	if (host.node !== process.execPath) {
		onStep('Getting the Node that it needs', '5 seconds');
		await rebuild('node', host.node, options);
	}
	onStep('Getting or compiling its SQLite', 'up to 45 seconds');
	await installSqlite(host, options);
}

async function installPackages(
	{ folder, n8n }: Host,
	{ manifest, settings, lock }: Definition,
	options: ProcessOptions,
): Promise<void> {
	await writeFile(join(folder, 'package.json'), manifest);
	if (lock) {
		await writeFile(join(folder, 'pnpm-lock.yaml'), lock);
		const result = await runPnpmInstall(folder, settings, '--frozen-lockfile', options);
		requireResult(result, 'packages', n8n, options);
		return;
	}
	// The overrides belong to another version, and are for registries that lack a package. Try without them first.
	const withoutOverrides = settings.replace(/^(#.*\n|overrides:\n(?:[ \t].*\n?)+)/gm, '');
	let result = await runPnpmInstall(folder, withoutOverrides, '--no-frozen-lockfile', options);
	if (result.code !== 0) {
		result = await runPnpmInstall(folder, settings, '--no-frozen-lockfile', options);
	}
	requireResult(result, 'packages', n8n, options);
}

/**
 * Runs the pnpm of our package.json.
 * @param settings content of pnpm-workspace.yaml
 */
async function runPnpmInstall(
	folder: string,
	settings: string,
	flag: string,
	options: ProcessOptions,
): Promise<ProcessResult> {
	await writeFile(join(folder, 'pnpm-workspace.yaml'), settings);
	const args = [
		join(root, 'node_modules/pnpm/bin/pnpm.cjs'),
		'install',
		flag,
		'--ignore-scripts',
		// The installed versions share most of their packages.
		`--config.store-dir=${join(dirname(folder), 'store')}`,
		`--config.pnpmfile=${join(root, 'dev/n8n/pnpmfile.cjs')}`,
	];
	return await runProcess(process.execPath, args, options);
}

/** SQLite uses Node-API, so one binary fits every version of Node, and all n8n versions share it. */
async function installSqlite({ folder }: Host, options: ProcessOptions): Promise<void> {
	const sqlite3 = join(folder, 'node_modules/sqlite3');
	const binary = join(sqlite3, 'build/Release/node_sqlite3.node');
	const { version } = JSON.parse(await readFile(join(sqlite3, 'package.json'), 'utf8'));
	const name = `sqlite3-${version}-${process.platform}-${process.arch}.node`;
	const shared = join(dirname(folder), name);
	if (existsSync(shared)) {
		await cp(shared, binary);
		return;
	}
	await rebuild('sqlite3', binary, options);
	const draft = `${shared}.${process.pid}`;
	await cp(binary, draft);
	await rename(draft, shared);
}

/**
 * Runs the install script of a package.
 * @param created path of the file that the script makes
 */
async function rebuild(
	name: 'node' | 'sqlite3',
	created: string,
	options: ProcessOptions,
): Promise<void> {
	// A leftover of an interrupted run would hide that this run created nothing.
	await rm(created, { force: true });
	// `npm run` passes the `ignore-scripts` of our .npmrc on in the environment.
	const flags = ['--ignore-scripts=false', '--foreground-scripts', '--loglevel=error'];
	requireResult(
		await runProcess('npm', ['rebuild', name, ...flags], options),
		name,
		created,
		options,
	);
}

/** @throws {Problem} if the process failed or did not create the file */
function requireResult(
	{ code, output }: ProcessResult,
	step: InstallStep,
	created: string,
	{ logFile }: ProcessOptions,
) {
	if (code === 0 && existsSync(created)) return;
	const reason = output.split('\n').find((line) => /err/i.test(line)) ?? '';
	throw new Problem(`${advice[step]} ${reason.trim()} The complete output is in ${logFile}.`);
}
