import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { startProcess, stopProcess } from '../lib/processes.mts';
import { root } from '../lib/root.cjs';
import { typeScriptFlags } from '../lib/typeScriptFlags.cjs';

export type Protocol = 'http' | 'https';

/** The local server that every candidate calls. */
export interface BenchServer {
	/** Its addresses, without a slash at the end. */
	urls: Record<Protocol, string>;
	/** Path of the PEM file that clients must trust. */
	certificate: string;
	stop: () => Promise<void>;
}

/**
 * Starts the server in a process of its own, which ends with this one.
 *
 * @param folder for the certificate, which is made for this run
 */
export async function startBenchServer(folder: string): Promise<BenchServer> {
	const key = path.join(folder, 'key.pem');
	const certificate = path.join(folder, 'certificate.pem');
	const command =
		'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -days 2';
	const files = ['-keyout', key, '-out', certificate];
	execFileSync('openssl', [...command.split(' '), ...files], { stdio: 'pipe' });
	const program = path.join(root, 'dev/bench/server.mts');
	const child = startProcess(process.execPath, [...typeScriptFlags, program, key, certificate], {
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	const ended = once(child, 'exit').then(([code]) => {
		throw new Error(`The server of the bench ended with exit code ${String(code)}`);
	});
	const [urls] = (await Promise.race([once(child, 'message'), ended])) as [BenchServer['urls']];
	return { urls, certificate, stop: async () => await stopProcess(child, 1_000) };
}
