import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Speech } from './speak.mts';

const program = 'espeak-ng';
const timeoutMs = 60_000;
const wordsPerMinute = 165;

/** Languages that espeak-ng does not name as ISO 639-1 does. */
const otherNames = new Map([
	['no', 'nb'],
	['zh', 'cmn'],
]);

let isFound: Promise<boolean> | undefined;

/** @returns whether the machine has espeak-ng; the result is cached */
export async function hasEspeak(): Promise<boolean> {
	isFound ??= runEspeak(['--version'], '').then(
		() => true,
		() => false,
	);
	return await isFound;
}

/**
 * Runs espeak-ng without a shell.
 * @param args never values from a request: those go into `input`
 * @param input its standard input
 * @returns its standard output
 * @throws {Error} if it is missing, fails, or takes more than a minute
 */
async function runEspeak(args: string[], input: string): Promise<Buffer> {
	const limits = { timeout: timeoutMs, maxBuffer: Infinity };
	const run = promisify(execFile)(program, args, { encoding: 'buffer', ...limits });
	// A program that ends before it has read everything closes the pipe; its exit code is checked.
	run.child.stdin?.on('error', () => {}).end(input);
	return (await run).stdout;
}

/**
 * @param language ISO 639-1; English is used if espeak-ng does not have the language
 * @param pitch of the voice, from 0 (deep) to 1 (high)
 * @throws {Error} if espeak-ng fails or is silent
 */
export async function speakWithEspeak(
	text: string,
	language: string,
	pitch: number,
): Promise<Speech> {
	const run = async (voice: string) => {
		const options = `-p ${Math.round(5 + pitch * 90)} -s ${wordsPerMinute} -v ${voice}`;
		return await runEspeak(['--stdin', '--stdout', '-b', '1', ...options.split(' ')], text);
	};
	const wav = await run(otherNames.get(language) ?? language).catch(() => run('en'));
	const data = wav.indexOf('data', 12, 'latin1');
	// The length in the header is wrong because espeak-ng writes to a pipe: use all that follows.
	const count = data < 0 ? 0 : Math.floor((wav.length - data - 8) / 2);
	if (count === 0) throw new Error(`${program} returned no audio.`);
	const samples = Int16Array.from({ length: count }, (_, index) =>
		wav.readInt16LE(data + 8 + index * 2),
	);
	return { samples, rate: wav.readUInt32LE(24) };
}
