import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { startProcess, stopProcess } from './processes.mjs';

/**
 * Runs npm and keeps what it prints: its last lines for the reader of an error, all of it in a log file.
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {string} options.logFile everything that npm prints is appended to it
 * @param {NodeJS.ProcessEnv} [options.env] default: this process's own
 * @param {AbortSignal} [options.signal] ends npm and what it started
 * @returns {Promise<{code: number | null, output: string}>} `output` is what npm printed
 * @throws the signal's reason when it was aborted
 */
export async function runNpm(args, { cwd, logFile, env = process.env, signal }) {
	signal?.throwIfAborted();
	const { command, first } = npmCommand();
	const log = createWriteStream(logFile, { flags: 'a' });
	const windowsScript = command.endsWith('.cmd');
	const child = startProcess(command, [...first, ...args], {
		cwd,
		env: withoutInheritedSettings(env),
		stdio: ['ignore', 'pipe', 'pipe'],
		// Windows starts a .cmd file only through its shell.
		shell: windowsScript,
	});
	const abort = () => void stopProcess(child, 2_000);
	signal?.addEventListener('abort', abort);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk) => {
			log.write(chunk);
			output += chunk;
		});
	}
	try {
		const [code] = await once(child, 'close');
		signal?.throwIfAborted();
		return { code, output };
	} finally {
		signal?.removeEventListener('abort', abort);
		log.end();
	}
}

/**
 * The npm that started this program, as `npm run` tells it; else the one in the PATH.
 * @returns {{command: string, first: string[]}}
 */
function npmCommand() {
	const started = process.env.npm_execpath;
	if (started?.endsWith('.js')) return { command: process.execPath, first: [started] };
	return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', first: [] };
}

/**
 * `npm run` hands this project's .npmrc down in the environment. The hosts are projects of their own:
 * with our `ignore-scripts` their Node and SQLite would silently not be put in place.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
function withoutInheritedSettings(env) {
	const own = new Set([
		'npm_config_ignore_scripts',
		'npm_config_legacy_peer_deps',
		'npm_config_omit_lockfile_registry_resolved',
	]);
	return Object.fromEntries(Object.entries(env).filter(([name]) => !own.has(name.toLowerCase())));
}
