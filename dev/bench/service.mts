import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root, runTypeScript } from '../lib/root.cjs';
import { Problem } from '../lib/problem.mts';
import { startProcess, stopProcess } from '../lib/processes.mts';
import type { Counts } from './server.mts';

export type Service = Awaited<ReturnType<typeof startService>>;

/** Rate of the slow line, in each direction. */
export const slowBytesPerSecond = 2_000_000;

/**
 * Starts the local server that every candidate calls, in its own process.
 * @param folder for the certificate, which is made for this run
 */
export async function startService(folder: string) {
	const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
	const about = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
	const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
	const args = ['req', '-x509', ...ec, ...about, '-keyout', key, '-out', certificate];
	const { status, stderr, error } = spawnSync('openssl', args, { encoding: 'utf8' });
	if (status !== 0) {
		throw new Problem(`The bench needs the program "openssl" 3: ${error?.message ?? stderr}`);
	}
	const script = join(root, 'dev/bench/server.mts');
	const scriptArgs = [...runTypeScript, script, key, certificate, String(slowBytesPerSecond)];
	const child = startProcess(process.execPath, scriptArgs, {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const [ports] = await once(child, 'message');
	return {
		/** Without a slash at the end; `slow` is `https` through a line of {@link slowBytesPerSecond}. */
		urls: {
			http: `http://127.0.0.1:${ports.http}`,
			https: `https://127.0.0.1:${ports.https}`,
			slow: `https://127.0.0.1:${ports.slow}`,
		},
		/** Path of the PEM file that clients must trust. */
		certificate,
		/** Changes settings of the server, and returns what it counted since the last time. */
		async takeCounts(settings: { hash?: boolean; speechBytes?: number } = {}): Promise<Counts> {
			child.send(settings);
			const [counts] = await once(child, 'message');
			return counts;
		},
		stop: async () => await stopProcess(child, 1_000),
	};
}
