import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';

import { endpoints } from '../lib/openapi.mts';
import { UserFacingError } from '../lib/errors.mts';
import { root } from '../lib/root.cjs';
import { typeScriptFlags } from '../lib/typeScriptFlags.cjs';
import type { CreatedKey, Environment, NewKeyOptions } from './keys.mts';

/** The emulator in a process of its own. */
export type EmulatorProcess = Awaited<ReturnType<typeof startEmulatorProcess>>;

/** @returns a function that calls the API of an emulator's console */
export function createConsoleApi(consoleUrl: string) {
	/**
	 * @param apiPath below `/console/api`, for example `/wallets`
	 * @throws status and body of a response with 4xx or 5xx
	 */
	return async <T,>(method: string, apiPath: string, body?: unknown): Promise<T> => {
		const response = await fetch(`${consoleUrl}/api${apiPath}`, {
			method,
			headers: body === undefined ? {} : { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${apiPath}: ${response.status} ${text}`);
		return JSON.parse(text);
	};
}

/**
 * Starts the emulator, on a free port unless the arguments name one. It ends when this process ends, for any reason. After
 * the start, its errors are printed to the standard error of this process.
 *
 * @param args more arguments of `dev/emulator/main.mts`, for example `['--folder', folder]`
 * @param env more variables of its environment
 * @throws {UserFacingError} with what the emulator printed, if it could not start
 */
export async function startEmulatorProcess(args: string[] = [], env: NodeJS.ProcessEnv = {}) {
	const program = path.join(root, 'dev/emulator/main.mts');
	// The guard of `startProcess` would kill the emulator, which could then not delete its uploads or release its folder.
	const child = fork(program, ['--port', '0', ...args], {
		execArgv: typeScriptFlags,
		stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
		env: { ...process.env, ...env },
	});
	let errors = '';
	let hasStarted = false;
	child.stderr?.on('data', (chunk: Buffer) => {
		if (hasStarted) process.stderr.write(chunk);
		else errors += chunk.toString();
	});
	const exited = once(child, 'exit');
	// Unlike `exit`, this waits for all that the emulator printed.
	const ended = once(child, 'close').then(([code]) => {
		throw new UserFacingError(`The emulator ended with exit code ${String(code)}: ${errors}`);
	});
	const [{ baseUrl, consoleUrl }] = (await Promise.race([once(child, 'message'), ended])) as [
		{ baseUrl: string; consoleUrl: string },
	];
	hasStarted = true;
	// A failed test may leave the emulator running. These handles must not keep the test's process alive.
	child.unref();
	child.channel?.unref();
	(child.stderr as Socket).unref();

	const callApi = createConsoleApi(consoleUrl);
	return {
		baseUrl,
		consoleUrl,
		pid: child.pid!,
		callApi,
		/** Creates a key, by default with all documented scopes. */
		async createKey(
			environment: Environment,
			options: Partial<NewKeyOptions> = {},
		): Promise<string> {
			const scopes = endpoints.flatMap(({ scope }) => scope ?? []);
			const newKey: NewKeyOptions = { environment, scopes, ...options };
			return (await callApi<CreatedKey>('POST', '/keys', newKey)).key;
		},
		async stop() {
			child.ref();
			if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
			await exited;
		},
	};
}
