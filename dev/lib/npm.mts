import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { startProcess, stopProcess } from './processes.mts';

/**
 * Runs npm, or a Node script, and keeps its output for error messages and in a log file.
 * @param args of npm, or of the script
 * @param options.logFile the output is appended to it
 * @param options.script a Node script to run in place of npm
 * @param options.env default: that of this process, which in jest differs from what child processes inherit
 * @param options.signal ends npm and what it started
 * @throws the signal's reason when it was aborted
 */
export async function runNpm(
	args: string[],
	{
		cwd,
		logFile,
		script,
		env = process.env,
		signal,
	}: {
		cwd: string;
		logFile: string;
		script?: string;
		env?: NodeJS.ProcessEnv;
		signal?: AbortSignal;
	},
): Promise<{ code: number | null; output: string }> {
	signal?.throwIfAborted();
	const log = createWriteStream(logFile, { flags: 'a' });
	const command = script ? process.execPath : 'npm';
	const child = startProcess(command, script ? [script, ...args] : args, {
		...{ cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
		// Windows starts npm, a .cmd file, only through its shell.
		shell: process.platform === 'win32' && !script,
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
