import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../lib/root.cjs';
import { explainFailure } from './explain.mts';
import { fingerprint } from '../lib/fingerprint.mts';
import { withLock } from '../lib/lock.mts';
import { runNpm } from '../lib/npm.mts';
import { installPnpm } from './pnpm.mts';
import { Problem } from '../lib/problem.mts';

const definitions = join(root, 'dev/n8n');

/** Where the versions are installed, unless the caller chooses another folder. */
export const defaultFolder = join(root, '.hosts');

/**
 * The folder of a version that has none in `dev/n8n/`: `defineHost` writes it.
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
	/** path of the Node program that runs it: its own if its package.json depends on one, else ours */
	node: string;
	/** path of n8n's start script */
	n8n: string;
	/** variables that this version needs */
	environment: Record<string, string>;
}

/** `onStep` is called before each long step */
export type Options = { onStep?: (step: string, usually: string) => void; signal?: AbortSignal };

/**
 * Installs the n8n of `dev/n8n/n8n-<version>`, or of the folder that `defineHost` wrote, into `.hosts/n8n-<version>`, or
 * finds it there in milliseconds. After an interrupted install, it downloads only what is missing. Needs no package of
 * this repository: it can run while they are installed.
 * @param options `into`: the folder for the installed versions; default `.hosts`
 * @throws {Problem} when it cannot be installed here, with the reason and advice in the message
 */
export async function installHost(
	version: string,
	options: Options & { into?: string } = {},
): Promise<Host> {
	const { into = defaultFolder, onStep = () => {}, signal } = options;
	const definition = [join(definitions, `n8n-${version}`), cachedDefinition(into, version)].find(
		(one) => existsSync(join(one, 'pnpm-lock.yaml')),
	);
	if (definition === undefined) {
		throw new Problem(
			`n8n ${version} cannot be installed: dev/n8n/n8n-${version} is missing. ("npm run test:n8n -- ${version}" tests a version that has no folder.)`,
		);
	}
	const folder = join(into, `n8n-${version}`);
	const read = async (name: string) => await readFile(join(definition, name), 'utf8');
	const manifest = await read('package.json');
	const bringsNode = JSON.parse(manifest).dependencies.node !== undefined;
	const modules = join(folder, 'node_modules');
	const ownNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	const host: Host = {
		...{ version, folder, node: bringsNode ? ownNode : process.execPath },
		n8n: join(modules, 'n8n', 'bin', 'n8n'),
		environment: JSON.parse(await read('environment.json').catch(() => '{}')),
	};
	const wanted = fingerprint([manifest, await read('pnpm-lock.yaml')]);
	const stamp = join(folder, 'installed.json');
	const isInstalled = async () => (await readFile(stamp, 'utf8').catch(() => '')).includes(wanted);
	if (await isInstalled()) return host;

	await mkdir(folder, { recursive: true });
	const onWait = () =>
		onStep(`Waiting until n8n ${version} is installed (about 1.5 GB on disk, once)`, '2 minutes');
	await withLock(`${folder}.lock`, { onWait, signal }, async () => {
		if (await isInstalled()) return;
		await rm(stamp, { force: true });
		await install(host, definition, { onStep, signal });
		await writeFile(stamp, JSON.stringify({ fingerprint: wanted }));
	});
	return host;
}

async function install(
	{ version, folder, node, n8n }: Host,
	definition: string,
	{ onStep, signal }: Required<Pick<Options, 'onStep'>> & Options,
) {
	const into = dirname(folder);
	const logFile = join(folder, 'install.log');
	const env = {
		...process.env,
		// Native modules must fit the Node that runs n8n, not the one that runs this program.
		PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
		// Compiles SQLite in half the time.
		CFLAGS: '-O1',
	};
	/** Runs npm, or a Node script, which must create a file. */
	const run = async (
		{ step, creates, script }: { step: string; creates: string; script?: string },
		args: string[],
	) => {
		const { code, output } = await runNpm(args, { cwd: folder, logFile, script, signal, env });
		if (code !== 0 || !existsSync(creates)) throw explainFailure(step, output, logFile);
	};
	/** @param step name of the package */
	const rebuild = async (step: string, creates: string) => {
		// A leftover of an interrupted run would hide that this run created nothing.
		await rm(creates, { force: true });
		// Explicitly: `npm run` passes the `ignore-scripts` of our .npmrc on in the environment.
		const flags = ['--ignore-scripts=false', '--foreground-scripts', '--loglevel=error'];
		await run({ step, creates }, ['rebuild', step, ...flags]);
	};

	onStep(`Downloading n8n ${version} (about 1.5 GB on disk, once)`, '1 to 2 minutes');
	const step = 'packages';
	const pnpm = await installPnpm(into, { logFile, env, signal });
	for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
		await cp(join(definition, name), join(folder, name));
	}
	// One store: the versions share most of their packages.
	const store = ['--store-dir', join(into, 'store')];
	const args = ['install', '--frozen-lockfile', '--ignore-scripts', ...store];
	await run({ step, creates: n8n, script: pnpm }, args);

	if (node !== process.execPath) {
		onStep('Getting the Node that it needs', 'about 5 seconds');
		await rebuild('node', node);
	}

	onStep('Getting or compiling its SQLite', 'up to 45 seconds');
	const sqlite3 = join(folder, 'node_modules', 'sqlite3');
	const binary = join(sqlite3, 'build', 'Release', 'node_sqlite3.node');
	const manifest = JSON.parse(await readFile(join(sqlite3, 'package.json'), 'utf8'));
	// It uses Node-API: one binary fits every version of Node.
	const shared = join(into, `sqlite3-${manifest.version}-${process.platform}-${process.arch}.node`);
	if (existsSync(shared)) return await cp(shared, binary);
	await rebuild('sqlite3', binary);
	await cp(binary, `${shared}.${process.pid}`);
	await rename(`${shared}.${process.pid}`, shared);
}
