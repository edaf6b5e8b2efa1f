import { execFileSync } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { sniffHead, type Container } from '../../../nodes/VoiceSpeech/audio/format.ts';
import type { Reading } from '../../../nodes/VoiceSpeech/streams/forwardReader.ts';
import { createTestFolder } from '../testFolder.mts';

/**
 * A folder for the files of a test, in which ffmpeg and opusenc run. Debian has them in the packages ffmpeg and
 * opus-tools. Without them, the tests fail.
 */
export function useMediaFolder() {
	const folder = createTestFolder();
	const getPath = (file: string) => path.join(folder, file);

	const run = (program: string, args: string[]) =>
		execFileSync(program, args, {
			cwd: folder,
			maxBuffer: 2 ** 30,
			stdio: ['ignore', 'pipe', 'pipe'],
		});

	/** Finds the arguments with which a file is converted, or read to split it. */
	function openRecording(file: string): [container: Container, read: () => Promise<Reading>] {
		async function startReading(): Promise<Reading> {
			const stream = createReadStream(getPath(file));
			const close = () => {
				stream.destroy();
			};
			return { chunks: stream, close };
		}
		return [sniffHead(readFileSync(getPath(file)))!.container!, startReading];
	}

	/** @returns what ffmpeg writes to its standard output */
	const ffmpeg = (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', ...args]);

	/**
	 * Decodes the first track of audio of each file, with one ffmpeg, because it takes longer to start than to decode.
	 *
	 * @param format of the samples, such as `s16le`
	 */
	async function decode(format: string, ...files: string[]): Promise<Buffer[]> {
		const inputs = files.flatMap((file) => ['-i', file]);
		const names = files.map((_, index) => `${index}.raw`);
		const outputs = names.flatMap((name, index) => ['-map', `${index}:a:0`, '-f', format, name]);
		ffmpeg(...inputs, ...outputs);
		return await Promise.all(names.map(async (name) => await readFile(getPath(name))));
	}

	return {
		getPath,
		openRecording,
		ffmpeg,
		decode,
		opusenc: (...args: string[]) => run('opusenc', ['--quiet', ...args]),
	};
}
