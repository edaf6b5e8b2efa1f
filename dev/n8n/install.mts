import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fingerprint } from '../lib/fingerprint.mts';
import { withLock } from '../lib/lock.mts';
import { Problem } from '../lib/problem.mts';
import { runProcess } from '../lib/processes.mts';
import type { ProcessResult } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import type { OnStep } from '../lib/steps.mts';
import { explainFailure } from './explain.mts';
import type { InstallStep } from './explain.mts';
import { runPnpm } from './pnpm.mts';

const definitions = join(root, 'dev/n8n');

/** Where the versions are installed, unless the caller chooses another folder. */
export const defaultFolder = join(root, '.hosts');

/**
 * The folder of a version that has none in `dev/n8n/`. `defineHost` writes it.
 * @param into the folder of the installed versions
 */
export const cachedDefinition = (into: string, version: string) =>
	join(into, 'definitions', `n8n-${version}`);

/** A real n8n in a folder of this repository, ready to be started. */
export interface Host {
	/** n8n's version */
	version: string;
	/** where it is installed */
	folder: string;
	/** path of the Node that runs it: its own if its package.json depends on one, otherwise ours */
	node: string;
	/** path of n8n's start script */
	n8n: string;
	/** variables that this version needs */
	environment: Record<string, string>;
}

export interface InstallOptions {
	/** folder for the installed versions; `.hosts` by default */
	into?: string;
	onStep?: OnStep;
	/** ends the installation */
	signal?: AbortSignal;
}

/**
 * Installs the n8n of `dev/n8n/n8n-<version>`, or of the folder that `defineHost` wrote, into `.hosts/n8n-<version>`, or
 * finds it there in milliseconds. After an interrupted installation, it downloads only what is missing.
 * @throws {Problem} if it cannot be installed here, with the reason and advice in the message
 */
export async function installHost(version: string, options: InstallOptions = {}): Promise<Host> {
	const { into = defaultFolder, onStep = () => {}, signal } = options;
	const definition = findDefinition(into, version);
	const manifest = await readFile(join(definition, 'package.json'), 'utf8');
	const lock = await readFile(join(definition, 'pnpm-lock.yaml'), 'utf8');
	const environment = await readFile(join(definition, 'environment.json'), 'utf8').catch(
		() => '{}',
	);
	const folder = join(into, `n8n-${version}`);
	const modules = join(folder, 'node_modules');
	const bringsNode = JSON.parse(manifest).dependencies.node !== undefined;
	const host: Host = {
		version,
		folder,
		node: bringsNode ? join(modules, 'node/bin/node') : process.execPath,
		n8n: join(modules, 'n8n/bin/n8n'),
		environment: JSON.parse(environment),
	};
	const wanted = fingerprint([manifest, lock]);
	const stamp = join(folder, 'installed.json');
	const isInstalled = async () => (await readFile(stamp, 'utf8').catch(() => '')).includes(wanted);
	if (await isInstalled()) return host;

	await mkdir(folder, { recursive: true });
	const lockFolder = `${folder}.lock`;
	const onWait = () =>
		onStep(
			`Waiting for another process that installs n8n (if there is none, delete ${lockFolder})`,
		);
	await withLock(lockFolder, { onWait, signal }, async () => {
		if (await isInstalled()) return;
		await rm(stamp, { force: true });
		await install(host, definition, onStep, signal);
		await writeFile(stamp, JSON.stringify({ fingerprint: wanted }));
	});
	return host;
}

/** @throws {Problem} if this version has no folder */
function findDefinition(into: string, version: string): string {
	const folders = [join(definitions, `n8n-${version}`), cachedDefinition(into, version)];
	const found = folders.find((folder) => existsSync(join(folder, 'pnpm-lock.yaml')));
	if (found) return found;
	throw new Problem(
		`n8n ${version} cannot be installed: dev/n8n/n8n-${version} is missing. ("npm run test:n8n -- ${version}" tests a version that has no folder.)`,
	);
}

async function install(
	{ version, folder, node, n8n }: Host,
	definition: string,
	onStep: OnStep,
	signal?: AbortSignal,
) {
	const into = dirname(folder);
	const logFile = join(folder, 'install.log');
	const env = {
		...process.env,
		// Native modules must fit the Node that runs n8n, not the one that runs this program.
		PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
		// SQLite compiles in half the time.
		CFLAGS: '-O1',
	};
	const check = ({ code, output }: ProcessResult, step: InstallStep, created: string) => {
		if (code !== 0 || !existsSync(created)) throw explainFailure(step, output, logFile);
	};
	const rebuild = async (step: 'node' | 'sqlite3', created: string) => {
		// A leftover of an interrupted run would hide that this run created nothing.
		await rm(created, { force: true });
		// `npm run` passes the `ignore-scripts` of our .npmrc on in the environment.
		const flags = ['--ignore-scripts=false', '--foreground-scripts', '--loglevel=error'];
		const options = { cwd: folder, env, logFile, signal };
		check(await runProcess('npm', ['rebuild', step, ...flags], options), step, created);
	};

	onStep(`Downloading n8n ${version} (about 1.5 GB on disk, once)`, '1 to 2 minutes');
	for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
		await cp(join(definition, name), join(folder, name));
	}
	const args = ['install', '--frozen-lockfile', '--ignore-scripts'];
	check(await runPnpm(args, into, { cwd: folder, env, logFile, signal }), 'packages', n8n);

	if (node !== process.execPath) {
		onStep('Getting the Node that it needs', '5 seconds');
		await rebuild('node', node);
	}

	onStep('Getting or compiling its SQLite', 'up to 45 seconds');
	const sqlite3 = join(folder, 'node_modules/sqlite3');
	const binary = join(sqlite3, 'build/Release/node_sqlite3.node');
	const manifest = JSON.parse(await readFile(join(sqlite3, 'package.json'), 'utf8'));
	// It uses Node-API, so one binary fits every version of Node.
	const shared = join(into, `sqlite3-${manifest.version}-${process.platform}-${process.arch}.node`);
	if (existsSync(shared)) {
		await cp(shared, binary);
		return;
	}
	await rebuild('sqlite3', binary);
	const draft = `${shared}.${process.pid}`;
	await cp(binary, draft);
	await rename(draft, shared);
}
