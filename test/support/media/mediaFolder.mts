import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Reading } from '../../../nodes/VoiceSpeech/streams/forwardReader.ts';

/**
 * A folder for the files of a test, in which ffmpeg and opusenc run. Debian has them in the packages ffmpeg and
 * opus-tools. Without them, the tests fail.
 */
export function useMediaFolder() {
	let folder = '';

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'voice-speech-convert-'));
	});
	afterAll(async () => await rm(folder, { recursive: true, force: true }));

	const getPath = (file: string) => path.join(folder, file);

	const run = (program: string, args: string[]) =>
		execFileSync(program, args, {
			cwd: folder,
			maxBuffer: 2 ** 30,
			stdio: ['ignore', 'pipe', 'pipe'],
		});

	async function startReading(file: string): Promise<Reading> {
		const stream = createReadStream(getPath(file));
		const close = () => {
			stream.destroy();
		};
		return { chunks: stream, close };
	}

	return {
		getPath,
		startReading,
		/** @returns what ffmpeg writes to its standard output */
		ffmpeg: (...args: string[]) => run('ffmpeg', ['-v', 'error', '-y', ...args]),
		opusenc: (...args: string[]) => run('opusenc', ['--quiet', ...args]),
	};
}
