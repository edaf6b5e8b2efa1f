import getPort from 'get-port';
import { Problem } from './problem.mts';

/** A TCP port that nothing listens on at this moment. */
export const freePort = async (): Promise<number> => await getPort();

/**
 * @param what what the port is for, as the sentence names it: "n8n"
 * @param option how to choose another: "--port"
 * @throws {Problem} when the port is in use, or this account cannot use it
 */
export async function assertPortFree(port: number, what: string, option: string) {
	if ((await getPort({ port })) === port) return;
	throw new Problem(
		`Port ${port}, meant for ${what}, is already used by another program, or this account cannot use it. End that program, or choose another port with ${option} <number>.`,
	);
}
