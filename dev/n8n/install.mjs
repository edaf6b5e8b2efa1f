import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainFailure } from './explain.mjs';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { Problem } from './problem.mjs';
import { fingerprint, finishedSteps, recordStep } from './stamp.mjs';

const definitions = dirname(fileURLToPath(import.meta.url));
const defaultFolder = join(definitions, '../..', '.hosts');

/**
 * A real n8n in a folder of this repository, ready to be started.
 * @typedef {object} Host
 * @property {string} version n8n's version
 * @property {string} folder where it is installed
 * @property {string} node path of the Node program that runs it: its own if its package.json depends on one, else ours
 * @property {string} n8n path of n8n's start script
 * @property {Record<string, string>} environment variables that this version needs
 */

/** @typedef {{onStep?: (step: string, usually: string) => void, signal?: AbortSignal}} Options `onStep` is called before each long step */

/**
 * Installs the n8n of `dev/n8n/n8n-<version>` into `.hosts/n8n-<version>`, or finds it there in milliseconds. An
 * interrupted install continues with the step that had not finished. Needs no package of this repository: it can run
 * while they are installed.
 * @param {string} version
 * @param {Options & {into?: string}} [options] `into`: the folder for the installed versions; default `.hosts`
 * @returns {Promise<Host>}
 * @throws {Problem} when it cannot be installed here, with the reason and advice in the message
 */
export async function installHost(version, options = {}) {
	const { into = defaultFolder, onStep = () => {}, signal } = options;
	const definition = join(definitions, `n8n-${version}`);
	const folder = join(into, `n8n-${version}`);
	const { manifest, lock, environment } = await readDefinition(definition, version);
	const modules = join(folder, 'node_modules');
	const bringsNode = JSON.parse(manifest).dependencies?.node !== undefined;
	const ownNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	/** @type {Host} */
	const host = {
		...{ version, folder, node: bringsNode ? ownNode : process.execPath },
		...{ n8n: join(modules, 'n8n', 'bin', 'n8n'), environment: JSON.parse(environment) },
	};
	const wanted = fingerprint([manifest, lock]);
	const steps = installSteps(host, definition);
	const missing = async () => {
		const finished = await finishedSteps(folder, wanted);
		return steps.filter(({ name }) => !finished.includes(name));
	};
	if ((await missing()).length === 0) return host;

	await mkdir(folder, { recursive: true });
	const onWait = () =>
		onStep(`Waiting until n8n ${version} is installed (about 1.5 GB on disk, once)`, '2 minutes');
	await withLock(`${folder}.lock`, { onWait, signal }, async () => {
		for (const step of await missing()) {
			onStep(step.title, step.usually);
			await runStep(step, host, signal);
			await recordStep(folder, wanted, step.name);
		}
	});
	return host;
}

/**
 * @param {string} definition
 * @param {string} version
 */
async function readDefinition(definition, version) {
	const read = async (/** @type {string} */ name) => await readFile(join(definition, name), 'utf8');
	try {
		const environment = await read('environment.json').catch(() => '{}');
		return {
			manifest: await read('package.json'),
			lock: await read('pnpm-lock.yaml'),
			environment,
		};
	} catch {
		throw new Problem(`n8n ${version} cannot be installed: dev/n8n/n8n-${version} is missing.`);
	}
}

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} title
 * @property {string} usually how long it takes
 * @property {string} creates a file
 * @property {(run: Run) => ReturnType<Run>} execute
 * @typedef {(args: string[], script?: string, cwd?: string) => ReturnType<typeof runNpm>} Run npm, or a Node script
 */

/** @type {Awaited<ReturnType<Run>>} */
const done = { code: 0, output: '' };

/**
 * @param {Host} host
 * @param {string} definition
 * @returns {Step[]}
 */
function installSteps({ folder, version, node, n8n }, definition) {
	const into = dirname(folder);
	const rebuild = ['--ignore-scripts=false', '--foreground-scripts', '--loglevel=error'];
	const sqlite3 = join(folder, 'node_modules', 'sqlite3');
	const binary = join(sqlite3, 'build', 'Release', 'node_sqlite3.node');
	/** @type {Step[]} */
	const steps = [
		{
			name: 'packages',
			title: `Downloading n8n ${version} (about 1.5 GB on disk, once)`,
			usually: '1 to 2 minutes',
			creates: n8n,
			async execute(run) {
				const own = join(into, 'pnpm');
				const pnpm = join(own, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
				const installed = await withLock(`${own}.lock`, { onWait() {} }, async () => {
					await cp(join(definitions, 'pnpm'), own, { recursive: true });
					return (await exists(pnpm)) ? done : await run(['ci', '--no-audit'], undefined, own);
				});
				if (installed.code !== 0) return installed;
				for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
					await cp(join(definition, name), join(folder, name));
				}
				// One store: the versions share most of their packages.
				const store = ['--store-dir', join(into, 'store')];
				return await run(['install', '--frozen-lockfile', '--ignore-scripts', ...store], pnpm);
			},
		},
		{
			name: 'node',
			title: 'Getting the Node that it needs',
			usually: 'about 5 seconds',
			creates: node,
			execute: async (run) => await run(['rebuild', 'node', ...rebuild]),
		},
		{
			name: 'sqlite3',
			title: 'Getting or compiling its SQLite',
			usually: 'up to 45 seconds',
			creates: binary,
			async execute(run) {
				const manifest = JSON.parse(await readFile(join(sqlite3, 'package.json'), 'utf8'));
				// It uses Node-API: one binary fits every version of Node.
				const name = `sqlite3-${manifest.version}-${process.platform}-${process.arch}.node`;
				const shared = join(into, name);
				if (await exists(shared)) {
					await cp(shared, binary);
					return done;
				}
				const result = await run(['rebuild', 'sqlite3', ...rebuild]);
				if (await exists(binary)) {
					await cp(binary, `${shared}.${process.pid}`);
					await rename(`${shared}.${process.pid}`, shared);
				}
				return result;
			},
		},
	];
	return steps.filter(({ creates }) => creates !== process.execPath);
}

/**
 * @param {Step} step
 * @param {Host} host
 * @param {AbortSignal} [signal]
 */
async function runStep({ name, creates, execute }, host, signal) {
	// A leftover of an interrupted run would hide that this run created nothing.
	if (name !== 'packages') await rm(creates, { force: true });
	const logFile = join(host.folder, 'install.log');
	const env = {
		...process.env,
		// Native modules must fit the Node that runs n8n, not the one that runs this program.
		PATH: `${dirname(host.node)}${delimiter}${process.env.PATH ?? ''}`,
		// Compiles SQLite in half the time.
		CFLAGS: '-O1',
	};
	const { code, output } = await execute(
		async (args, script, cwd = host.folder) =>
			await runNpm(args, { cwd, logFile, script, signal, env }),
	);
	if (code !== 0 || !(await exists(creates))) throw explainFailure(name, output, logFile);
}

/** @param {string} path */
const exists = async (path) => (await stat(path).catch(() => undefined)) !== undefined;
