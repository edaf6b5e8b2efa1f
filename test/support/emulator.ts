/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- tests run on a developer's machine, never in n8n */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { runTypeScript } from '../../dev/lib/root.cjs';
import { SCOPES } from '../docs/interface';

const MAIN = path.resolve(__dirname, '../../dev/emulator/main.mts');

export type RunningEmulator = Awaited<ReturnType<typeof startEmulator>>;

/**
 * Starts the emulator as a child process on a free port.
 *
 * @param args more arguments of `dev/emulator/main.mts`, for example `['--folder', folder]`
 * @param env more variables of its environment
 */
export async function startEmulator(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
	const child = spawn(
		process.execPath,
		[...runTypeScript, MAIN, '--port', '0', '--json', '--with-parent', ...args],
		// Standard input stays open: the emulator ends with the test process, in any case.
		{ stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } },
	);
	let errors = '';
	child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const exited = once(child, 'exit');
	const lines = createInterface({ input: child.stdout });
	const ended = exited.then(([code]) => {
		throw new Error(`The emulator ended with exit code ${String(code)}: ${errors}`);
	});
	const [ready] = (await Promise.race([once(lines, 'line'), ended])) as [string];
	// A failed test may not stop it, and the test process must end anyway.
	for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
		(handle as unknown as { unref(): void }).unref();
	}
	const { baseUrl, consoleUrl } = JSON.parse(ready) as { baseUrl: string; consoleUrl: string };

	/**
	 * Calls the console's API: the path is below `/console/api`, for example `/wallets`. Returns the JSON of the response
	 * (undefined if it has none), and rejects with status and body on 4xx and 5xx.
	 */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests know what they asked for
	const api = async (method: string, apiPath: string, body?: unknown): Promise<any> => {
		const headers = { 'content-type': 'application/json' };
		const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
		const answer = await fetch(`${consoleUrl}/api${apiPath}`, { method, ...sent });
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${apiPath}: ${answer.status} ${text}`);
		return text === '' ? undefined : JSON.parse(text);
	};

	return {
		baseUrl,
		consoleUrl,
		pid: child.pid ?? 0,
		api,
		/** Creates a key in the emulator's console and returns it; by default with all documented scopes. */
		async createKey(environment: 'sandbox' | 'live', scopes = SCOPES) {
			const created = (await api('POST', '/keys', { environment, scopes })) as { key: string };
			return created.key;
		},
		async stop() {
			child.ref();
			if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
			await exited;
			lines.close();
		},
	};
}
