import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

const TIMEOUT_MS = 60_000;

/** @type {Map<string, Promise<boolean>>} */
const found = new Map();

/**
 * Whether the machine has a program. The result is cached.
 * @param {string} name
 * @param {string} versionFlag argument that makes it print its version
 * @returns {Promise<boolean>}
 */
export async function hasProgram(name, versionFlag) {
	const known = found.get(name);
	if (known) return await known;
	const result = runProgram(name, [versionFlag], Buffer.alloc(0)).then(
		() => true,
		() => false,
	);
	found.set(name, result);
	return await result;
}

/**
 * Runs a program without a shell.
 * @param {string} name
 * @param {string[]} args never values from a request: those go into `input`
 * @param {Buffer} input its standard input
 * @returns {Promise<Buffer>} its standard output
 * @throws {Error} if it is missing, fails, or takes more than a minute
 */
export async function runProgram(name, args, input) {
	const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: TIMEOUT_MS });
	// A program that ends before it has read everything closes the pipe; its exit code says why.
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	const [output, [code]] = await Promise.all([buffer(child.stdout), once(child, 'close')]);
	if (code !== 0) throw new Error(`${name} failed with exit code ${code}.`);
	return output;
}
