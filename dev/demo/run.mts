import { once } from 'node:events';
import { relative } from 'node:path';
import { IMITATION } from '../emulator/imitation.mts';
import { assertPortFree } from '../lib/ports.mts';
import { Problem } from '../lib/problem.mts';
import { startDemo } from './setup.mts';
import { showExamples } from './show.mts';
import { tryLines } from './try.mts';
import type { Options } from './options.mts';
import type { Progress } from '../lib/progress.mts';
import type { Shown } from './show.mts';
import type { Demo } from './setup.mts';

/**
 * Starts everything, shows the examples, and stays up until it is interrupted; with `once` it ends.
 * @throws {Problem} if something is missing or fails; or the signal's reason
 */
export async function run(
	{ once: isOnce, ...options }: Options,
	progress: Progress,
	signal: AbortSignal,
) {
	const { port, emulatorPort, outsidePort } = options;
	await assertPortFree(port, 'n8n', '--port');
	await assertPortFree(emulatorPort, 'the emulator', '--emulator-port');
	await assertPortFree(outsidePort, 'the mock server for other systems', '--outside-port');
	const print = (text: string) => {
		progress.end();
		process.stdout.write(text);
	};
	const onWarning = (problem: Error) => {
		// The user may edit the examples, and must then still get into n8n.
		if (isOnce || signal.aborted) throw problem;
		print(`\n  Warning: ${problem.message}\n`);
	};
	const demo = await startDemo({
		...{ ...options, signal, onWarning, onStep: progress.step },
		onDelivery: ({ system, content }) =>
			print(`\n  Received by ${system}: ${JSON.stringify(content)}\n`),
		onService: ({ consoleUrl }) =>
			print(`\n  Console     ${consoleUrl} (the emulator's wallets, keys and usage)\n\n`),
	});
	try {
		await Promise.race([
			showExamples(demo, progress.step).then((shown) => print(results(shown)), onWarning),
			interruption(signal),
		]);
		if (isOnce) return;
		print(invitation(demo));
		const ended = demo.n8n.ended.then(() => {
			throw new Problem(`n8n has ended. ${demo.n8n.logFile} has the reason.`);
		});
		await Promise.race([interruption(signal), ended]).catch((reason) => {
			if (reason.name !== 'AbortError') throw reason;
		});
		print('\nStopping n8n and the emulator ...\n');
	} finally {
		progress.end();
		await demo.stop();
	}
}

/** @returns rejects when the signal is aborted */
async function interruption(signal: AbortSignal): Promise<never> {
	if (!signal.aborted) await once(signal, 'abort');
	throw signal.reason;
}

export const results = ({ transcript, voiceId, audioFile, credits }: Shown) => `
${IMITATION.replace(/^/gm, '  ')}

  Transcript  ${transcript}
  Voice ID    ${voiceId}
  Audio       ${relative(process.cwd(), audioFile)}
  Credits     ${credits} (of the emulator's sandbox wallet)
`;

const invitation = (demo: Demo) => `
  n8n is up   ${demo.n8n.url}
  Login       ${demo.login.email}
  Password    ${demo.login.password}
  Console     ${demo.service.consoleUrl} (the emulator's wallets, keys and usage)

  The examples. Tickets, messages and notes that they send appear here:

${tryLines(demo)}
  Ctrl-C ends all of it. Workflows, files, voices, keys and wallets are kept for the next run.
`;
