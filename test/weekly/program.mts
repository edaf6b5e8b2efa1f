import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { root } from '../../dev/lib/root.cjs';
import { typeScriptFlags } from '../../dev/lib/typeScriptFlags.cjs';

/** While other suites run, n8n may take minutes to start and to run the examples. */
const outputTimeoutMs = 400_000;

export type Program = ReturnType<typeof startProgram>;

/** @returns a function that starts programs; those that a test leaves running end after it */
export function usePrograms(): typeof startProgram {
	const started: Program[] = [];
	afterEach(async () => {
		for (const { child, ended } of started.splice(0)) {
			child.kill('SIGTERM');
			await ended;
		}
	});
	return (...args) => {
		const program = startProgram(...args);
		started.push(program);
		return program;
	};
}

/** Starts Node with these arguments in the repository's root; `readOutput` returns what it has printed so far. */
function startProgram(...args: string[]) {
	const child = spawn(process.execPath, [...typeScriptFlags, ...args], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			text += chunk.toString();
		});
	}
	let hasEnded = false;
	const ended = once(child, 'close').then(([code]) => {
		hasEnded = true;
		return { code: code as number, text };
	});
	/** Resolves once it has printed this text, or has ended. */
	const waitForOutput = async (expected: string) => {
		const isPrintedOrEnded = () => text.includes(expected) || hasEnded;
		await waitUntil(isPrintedOrEnded, {
			timeoutMs: outputTimeoutMs,
			createMessage: () => `The program did not print "${expected}", but: ${text}`,
		});
		expect(text).toContain(expected);
	};
	return { child, ended, waitForOutput, readOutput: () => text };
}

/**
 * Whether a process has ended. A zombie counts on Linux, because its parent may have ended without waiting for it. In a
 * container, often nothing else waits for it either.
 */
export function isGone(pid: number): boolean {
	try {
		process.kill(pid, 0);
		if (process.platform !== 'linux') return false;
		return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch (error) {
		// It may end between the two calls.
		const { code } = error as NodeJS.ErrnoException;
		return code === 'ESRCH' || code === 'ENOENT';
	}
}
