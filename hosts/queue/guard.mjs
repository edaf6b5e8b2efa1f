// Ends what a cluster started when the program that started it is gone, however it ended: a test runner
// that is interrupted runs no more code of ours.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Marks every process of a cluster in its environment, where those that it starts inherit it. */
const mark = 'VOICE_SPEECH_CLUSTER';

/**
 * @param {string} id of the cluster
 * @returns {Record<string, string>} for the environment of each of its processes
 */
export const marked = (id) => ({ [mark]: id });

/**
 * @param {string} id of the cluster
 * @param {string[]} folders to delete once its processes are gone
 * @returns {() => void} dismisses the guard: call it when everything has been ended
 */
export function startGuard(id, folders) {
	const script = fileURLToPath(import.meta.url);
	const guard = spawn(process.execPath, [script, id, ...folders], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore'],
	});
	guard.unref();
	guard.stdin?.on('error', () => {});
	/** @type {any} */ (guard.stdin).unref?.();
	return () => void guard.kill('SIGTERM');
}

/** @param {string} id */
function endMarked(id) {
	let found = 0;
	for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
		try {
			const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
			if (!environment.includes(`${mark}=${id}`) || Number(name) === process.pid) continue;
			process.kill(Number(name), 'SIGKILL');
			found++;
		} catch {
			// It has ended meanwhile, or belongs to someone else.
		}
	}
	return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [id = '', ...folders] = process.argv.slice(2);
	for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});
	process.stdin.resume();
	process.stdin.once('close', async () => {
		// What was being started just then shows up a moment later.
		for (let quiet = 0; quiet < 3; quiet++) {
			if (endMarked(id) > 0) quiet = 0;
			await new Promise((resolve) => setTimeout(resolve, 300));
		}
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	});
}
