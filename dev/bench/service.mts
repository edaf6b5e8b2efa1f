import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root, runTypeScript } from '../lib/root.cjs';
import { Problem } from '../lib/problem.mts';
import { startProcess, stopProcess } from '../lib/processes.mts';

/** The local server that every candidate calls. */
export interface Service {
	/** Its address, without a slash at the end. */
	url: (isEncrypted?: boolean) => string;
	/** Path of the PEM file that clients must trust. */
	certificate: string;
	stop: () => Promise<void>;
}

/**
 * Starts the server in a process of its own.
 * @param folder for the certificate, which is made for this run
 * @throws {Problem} without openssl
 */
export async function startService(folder: string): Promise<Service> {
	const key = join(folder, 'key.pem');
	const certificate = join(folder, 'certificate.pem');
	const command =
		'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -days 2';
	const files = ['-keyout', key, '-out', certificate];
	const openssl = spawnSync('openssl', [...command.split(' '), ...files], { encoding: 'utf8' });
	if (openssl.status !== 0) {
		const reason = openssl.error?.message ?? openssl.stderr;
		throw new Problem(`The bench needs the program "openssl" 3: ${reason}`);
	}
	const script = join(root, 'dev/bench/server.mts');
	const child = startProcess(process.execPath, [...runTypeScript, script, key, certificate], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const [urls] = await once(child, 'message');
	return {
		url: (isEncrypted = false) => (isEncrypted ? urls.https : urls.http),
		certificate,
		stop: async () => await stopProcess(child, 1_000),
	};
}
