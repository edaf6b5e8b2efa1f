import getPort from 'get-port';
import { Problem } from './problem.mjs';

/**
 * A TCP port that nothing listens on at this moment.
 * @returns {Promise<number>}
 */
export const freePort = async () => await getPort();

/**
 * @param {number} port
 * @param {string} what what the port is for, as the sentence names it: "n8n"
 * @param {string} option how to choose another: "--port"
 * @throws {Problem} when the port is in use, or this account cannot use it
 */
export async function assertPortFree(port, what, option) {
	if ((await getPort({ port })) === port) return;
	throw new Problem(
		`Port ${port}, meant for ${what}, is already used by another program, or this account cannot use it. End that program, or choose another port with ${option} <number>.`,
	);
}
