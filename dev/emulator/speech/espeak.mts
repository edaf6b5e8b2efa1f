import { execFile, type ExecFileException } from 'node:child_process';
import { promisify } from 'node:util';

const timeoutMs = 60_000;
const wordsPerMinute = 165;

/** Mono samples of speech, and their sampling rate in Hz. */
export type Speech = { samples: Int16Array; samplingRate: number };

/** Languages that espeak-ng does not name as ISO 639-1 does. */
const otherNames = new Map([
	['no', 'nb'],
	['zh', 'cmn'],
]);

/**
 * @param language in ISO 639-1; English is used if espeak-ng does not have the language
 * @param pitch of the voice, from 0 (deep) to 1 (high)
 * @throws {Error} if espeak-ng is missing (code ENOENT), fails, takes more than a minute, or is silent
 */
export async function speakWithEspeak(
	text: string,
	language: string,
	pitch: number,
): Promise<Speech> {
	const run = async (voice: string) => {
		const options = `-p ${Math.round(5 + pitch * 90)} -s ${wordsPerMinute} -v ${voice}`;
		// The text is not an argument, because it could be read as an option, or be too long for one.
		const args = ['--stdin', '--stdout', '-b', '1', ...options.split(' ')];
		const limits = { timeout: timeoutMs, maxBuffer: Infinity };
		const running = promisify(execFile)('espeak-ng', args, { encoding: 'buffer', ...limits });
		// Writing fails if the program ends before it has read everything. Its exit code then says more than this error.
		running.child.stdin?.on('error', () => {}).end(text);
		return (await running).stdout;
	};
	const wav = await run(otherNames.get(language) ?? language).catch((error: unknown) => {
		// A number is an exit code, with which espeak-ng refuses a language that it does not have.
		if (typeof (error as ExecFileException).code !== 'number') throw error;
		return run('en');
	});
	const data = wav.indexOf('data', 12, 'latin1');
	// espeak-ng writes to a pipe, so the length in the header is wrong. Everything after it is audio.
	const count = data < 0 ? 0 : Math.floor((wav.length - data - 8) / 2);
	if (count === 0) throw new Error('espeak-ng returned no audio.');
	const samples = Int16Array.from({ length: count }, (_, index) =>
		wav.readInt16LE(data + 8 + index * 2),
	);
	return { samples, samplingRate: wav.readUInt32LE(24) };
}
