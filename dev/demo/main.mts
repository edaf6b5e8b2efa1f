import path from 'node:path';
import { parseArgs } from 'node:util';

import { isUserFacing, readErrorCode, runMain, UserFacingError } from '../lib/errors.mts';
import { root } from '../lib/root.cjs';
import { runDemo } from './runDemo.mts';

/**
 * Runs the command `npm run demo`. With `--once` it shows the examples and ends. `--folder` is where it keeps its data.
 * Settles after everything that it started has ended.
 */
async function main() {
	const interruption = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => {
			// The second signal ends it at once. The guard of the processes kills what still runs.
			if (interruption.signal.aborted) process.exit(130);
			interruption.abort();
		});
	}
	try {
		const { values } = parseArgs({
			options: {
				once: { type: 'boolean', default: false },
				// Not a hidden folder, because its files are for people to upload, and file dialogs do not show hidden ones.
				folder: { type: 'string', default: path.join(root, 'demo-data') },
			},
		});
		const folder = path.resolve(values.folder);
		await runDemo({ folder, endsAfterExamples: values.once, signal: interruption.signal });
	} catch (error) {
		if ((error as Error).name !== 'AbortError') throw explain(error as Error);
		console.error('\nInterrupted: nothing is left running.');
		process.exitCode = 130;
	}
}

function explain(error: Error): Error {
	if (/\bENOSPC\b|SQLITE_FULL/.test(`${readErrorCode(error)} ${error.message}`)) {
		return new UserFacingError(
			'The disk is full: n8n and the demo need about 2.5 GB. Free some space, then run it again.',
		);
	}
	if (isUserFacing(error)) return error;
	const text = "The demo failed unexpectedly. n8n.log in the demo's folder has n8n's output.";
	return new Error(text, { cause: error });
}

await runMain(main);
