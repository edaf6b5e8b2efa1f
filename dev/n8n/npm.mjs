import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { startProcess, stopProcess } from './processes.mjs';

/**
 * Runs npm, or a Node script, and keeps its output for error messages and in a log file.
 * @param {string[]} args of npm, or of the script
 * @param {object} options
 * @param {string} options.cwd
 * @param {string} options.logFile the output is appended to it
 * @param {string} [options.script] a Node script to run in place of npm
 * @param {NodeJS.ProcessEnv} [options.env] default: this process's own
 * @param {AbortSignal} [options.signal] ends npm and what it started
 * @returns {Promise<{code: number | null, output: string}>}
 * @throws the signal's reason when it was aborted
 */
export async function runNpm(args, { cwd, logFile, script, env = process.env, signal }) {
	signal?.throwIfAborted();
	const [command, ...first] = script ? [process.execPath, script] : npmCommand();
	const log = createWriteStream(logFile, { flags: 'a' });
	const child = startProcess(command, [...first, ...args], {
		cwd,
		env: withoutInheritedSettings(env),
		stdio: ['ignore', 'pipe', 'pipe'],
		// Windows starts a .cmd file only through its shell.
		shell: command.endsWith('.cmd'),
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
 * The npm that started this program, as `npm run` reports it; else the one in the PATH.
 * @returns {[string, ...string[]]}
 */
function npmCommand() {
	const started = process.env.npm_execpath;
	if (started?.endsWith('.js')) return [process.execPath, started];
	return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/**
 * `npm run` passes this project's .npmrc on in the environment. Each n8n is a project of its own:
 * with our `ignore-scripts` its Node and SQLite would silently be missing.
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
