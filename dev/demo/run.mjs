import { once } from 'node:events';
import { relative } from 'node:path';
import { IMITATION } from '../emulator/imitation.mjs';
import { assertPortFree } from '../n8n/ports.mjs';
import { Problem } from '../n8n/problem.mjs';
import { startDemo } from './setup.mjs';
import { showExamples } from './show.mjs';
import { tryLines } from './try.mjs';

/**
 * Starts everything, shows the examples, and stays up until it is interrupted; with `once` it ends.
 * @param {import('./options.mjs').Options} options
 * @param {import('./progress.mjs').Progress} progress
 * @param {AbortSignal} signal
 * @throws {Problem} if something is missing or fails; or the signal's reason
 */
export async function run({ once: isOnce, ...options }, progress, signal) {
	const { port, emulatorPort, outsidePort } = options;
	await assertPortFree(port, 'n8n', '--port');
	await assertPortFree(emulatorPort, 'the emulator', '--emulator-port');
	await assertPortFree(outsidePort, 'the mock server for other systems', '--outside-port');
	/** @param {string} text */
	const print = (text) => {
		progress.end();
		process.stdout.write(text);
	};
	/** @param {Error} problem */
	const onWarning = (problem) => {
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

/**
 * @param {AbortSignal} signal
 * @returns {Promise<never>} rejects when the signal is aborted
 */
async function interruption(signal) {
	if (!signal.aborted) await once(signal, 'abort');
	throw signal.reason;
}

/** @param {import('./show.mjs').Shown} shown */
export const results = ({ transcript, voiceId, audioFile, credits }) => `
${IMITATION.replace(/^/gm, '  ')}

  Transcript  ${transcript}
  Voice ID    ${voiceId}
  Audio       ${relative(process.cwd(), audioFile)}
  Credits     ${credits} (of the emulator's sandbox wallet)
`;

/** @param {import('./setup.mjs').Demo} demo */
const invitation = (demo) => `
  n8n is up   ${demo.n8n.url}
  Login       ${demo.login.email}
  Password    ${demo.login.password}
  Console     ${demo.service.consoleUrl} (the emulator's wallets, keys and usage)

  The examples. Tickets, messages and notes that they send appear here:

${tryLines(demo)}
  Ctrl-C ends all of it. Workflows, files, voices, keys and wallets are kept for the next run.
`;
