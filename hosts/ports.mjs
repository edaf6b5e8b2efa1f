import { connect, createServer } from 'node:net';
import { codeOf, Problem } from './problem.mjs';

const loopback = '127.0.0.1';

/**
 * A TCP port of the loopback address that nothing listens on at this moment.
 * @returns {Promise<number>}
 */
export async function freePort() {
	return await listenOnce(0);
}

/**
 * @param {number} port
 * @param {string} what what the port is for, as the sentence names it: "n8n"
 * @param {string} option how to choose another: "--port"
 * @throws {Problem} when the port is taken or may not be used
 */
export async function assertPortFree(port, what, option) {
	try {
		if (await answers(port)) throw Object.assign(new Error(), { code: 'EADDRINUSE' });
		await listenOnce(port);
	} catch (error) {
		const reason =
			codeOf(error) === 'EADDRINUSE'
				? 'is already used by another program'
				: `cannot be used (${codeOf(error)})`;
		throw new Problem(
			`Port ${port}, meant for ${what}, ${reason}. Stop that program, or choose another port with ${option} <number>.`,
		);
	}
}

/**
 * @param {number} port
 * @returns {Promise<number>} the port that was listened on for a moment
 */
async function listenOnce(port) {
	const server = createServer();
	await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, loopback, () => resolve(undefined));
	});
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	return typeof address === 'object' && address ? address.port : port;
}

/**
 * macOS lets a program listen on the loopback address of a port that another one has on all addresses:
 * only connecting shows that one.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
async function answers(port) {
	return await new Promise((resolve) => {
		const socket = connect({ port, host: loopback });
		const end = (/** @type {boolean} */ result) => {
			socket.destroy();
			resolve(result);
		};
		socket.once('connect', () => end(true));
		socket.once('error', () => end(false));
		socket.setTimeout(1_000, () => end(false));
	});
}
