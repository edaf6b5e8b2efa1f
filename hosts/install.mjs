import { copyFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainFailure } from './explain.mjs';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { Problem } from './problem.mjs';
import { fingerprint, finishedSteps, recordStep } from './stamp.mjs';

const definitions = dirname(fileURLToPath(import.meta.url));
const usualPlace = join(definitions, '..', '.hosts');

/**
 * A real n8n in a folder of this repository, ready to be started.
 * @typedef {object} Host
 * @property {string} version n8n's version
 * @property {string} folder where it is installed
 * @property {string} node path of the Node program that runs it: its own where it brings one, else ours
 * @property {string} n8n path of n8n's start script
 * @property {Record<string, string>} environment what this version needs in its environment
 */

/**
 * Puts the n8n of `hosts/n8n-<version>` into `.hosts/n8n-<version>`, or finds it there in milliseconds.
 * An install that was interrupted is taken up again at the step that had not finished.
 * @param {string} version
 * @param {object} [options]
 * @param {string} [options.into] the folder that holds the installed versions; default `.hosts`
 * @param {(step: string, usually: string) => void} [options.onStep] called before each long step
 * @param {AbortSignal} [options.signal] ends the install
 * @returns {Promise<Host>}
 * @throws {Problem} when it can't be installed here: the message says why and what to do
 */
export async function installHost(version, options = {}) {
	const { into = usualPlace, onStep = () => {}, signal } = options;
	const definition = join(definitions, `n8n-${version}`);
	const folder = join(into, `n8n-${version}`);
	const files = await readDefinition(definition, version);
	const host = describe(version, folder, files);
	const wanted = fingerprint([files.manifest, files.lock]);
	const steps = installSteps(host, files);
	const missing = async () => {
		const finished = await finishedSteps(folder, wanted);
		return steps.filter(({ name }) => !finished.includes(name));
	};
	if ((await missing()).length === 0) return host;

	await mkdir(folder, { recursive: true });
	const onWait = () => onStep('Waiting for another process that installs it', 'a few minutes');
	await withLock(`${folder}.lock`, { onWait, signal }, async () => {
		for (const step of await missing()) {
			onStep(step.title, step.usually);
			await runStep(step, { definition, host, signal });
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
	try {
		const manifest = await readFile(join(definition, 'package.json'), 'utf8');
		const lock = await readFile(join(definition, 'package-lock.json'), 'utf8');
		const environment = await readFile(join(definition, 'environment.json'), 'utf8').catch(
			() => '{}',
		);
		return { manifest, lock, environment };
	} catch {
		throw new Problem(`There is no n8n ${version} to install: hosts/n8n-${version} is missing.`);
	}
}

/**
 * @param {string} version
 * @param {string} folder
 * @param {{manifest: string, environment: string}} files
 * @returns {Host}
 */
function describe(version, folder, { manifest, environment }) {
	const modules = join(folder, 'node_modules');
	const ownNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	return {
		version,
		folder,
		node: bringsNode(manifest) ? ownNode : process.execPath,
		n8n: join(modules, 'n8n', 'bin', 'n8n'),
		environment: JSON.parse(environment),
	};
}

/** @param {string} manifest */
const bringsNode = (manifest) => JSON.parse(manifest).dependencies?.node !== undefined;

/**
 * @typedef {{name: string, title: string, usually: string, npm: string[], expects: string}} Step
 * @param {Host} host
 * @param {{manifest: string}} files
 * @returns {Step[]}
 */
function installSteps(host, { manifest }) {
	const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
	const rebuild = ['--ignore-scripts=false', '--foreground-scripts', '--loglevel=error'];
	const ownNode = {
		name: 'node',
		title: 'Getting the Node that it needs',
		usually: 'about 5 seconds',
		npm: ['rebuild', 'node', ...rebuild],
		expects: host.node,
	};
	return [
		{
			name: 'packages',
			title: `Downloading n8n ${host.version} (about 1.5 GB on disk, once)`,
			usually: '1 to 3 minutes',
			npm: ['ci', '--legacy-peer-deps', '--ignore-scripts', ...quiet],
			expects: host.n8n,
		},
		...(bringsNode(manifest) ? [ownNode] : []),
		{
			name: 'sqlite3',
			title: 'Getting or compiling its SQLite',
			usually: 'up to 90 seconds',
			npm: ['rebuild', 'sqlite3', ...rebuild],
			expects: join(
				host.folder,
				'node_modules',
				'sqlite3',
				'build',
				'Release',
				'node_sqlite3.node',
			),
		},
	];
}

/**
 * @param {Step} step
 * @param {{definition: string, host: Host, signal?: AbortSignal}} context
 */
async function runStep(step, { definition, host, signal }) {
	if (step.name === 'packages') {
		for (const name of ['package.json', 'package-lock.json']) {
			await copyFile(join(definition, name), join(host.folder, name));
		}
	}
	// A leftover of an interrupted run would hide that this run made nothing.
	else await rm(step.expects, { force: true });
	const logFile = join(host.folder, 'install.log');
	const { code, output } = await runNpm(step.npm, {
		cwd: host.folder,
		logFile,
		signal,
		// n8n's native parts must fit the Node that runs it, not the one that runs this program.
		env: { ...process.env, PATH: `${dirname(host.node)}${delimiter}${process.env.PATH ?? ''}` },
	});
	const made = await stat(step.expects).catch(() => undefined);
	if (code !== 0 || !made) throw explainFailure(step.name, output, logFile);
}
