import { relative } from 'node:path';
import { assertPortFree } from '../n8n/ports.mjs';
import { Problem } from '../n8n/problem.mjs';
import { startDemo } from './setup.mjs';
import { showExamples } from './show.mjs';

/**
 * Starts everything, shows the examples, and stays up until it is interrupted; with `once` it ends.
 * @param {import('./options.mjs').Options} options
 * @param {import('./progress.mjs').Progress} progress
 * @param {AbortSignal} signal
 * @returns {Promise<void>} resolves when everything has ended
 * @throws {Problem} if something is missing or fails; or the signal's reason
 */
export async function run({ port, emulatorPort, once, ...options }, progress, signal) {
	await assertPortFree(port, 'n8n', '--port');
	await assertPortFree(emulatorPort, 'the emulator', '--emulator-port');
	/** @param {string} text */
	const print = (text) => {
		progress.end();
		process.stdout.write(text);
	};
	/** @param {Error} problem */
	const onWarning = (problem) => {
		// The user may edit the examples, and must then still get into n8n.
		if (once || signal.aborted) throw problem;
		print(`\n  Warning: ${problem.message}\n`);
	};
	const demo = await startDemo({
		...{ ...options, port, emulatorPort, signal, onWarning, onStep: progress.step },
		onService: ({ consoleUrl }) =>
			print(`\n  Console     ${consoleUrl} (the emulator's wallets, keys and usage)\n\n`),
	});
	try {
		await Promise.race([
			showExamples(demo, progress.step).then((shown) => print(results(shown)), onWarning),
			interruption(signal),
		]);
		if (once) return;
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
	return await new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener('abort', () => reject(signal.reason));
	});
}

/** @param {import('./show.mjs').Shown} shown */
const results = ({ transcript, voiceId, audioFile, credits }) => `
  Transcript  ${transcript}
  Voice ID    ${voiceId}
  Audio       ${relative(process.cwd(), audioFile)}
  Credits     ${credits} (of the emulator's sandbox wallet)
`;

/** @param {import('./setup.mjs').Demo} demo */
const invitation = ({ n8n, login, service, recordings }) => `
  n8n is up   ${n8n.url}
  Login       ${login.email}
  Password    ${login.password}

  Forms       ${n8n.url}/form/transcribe-a-recording
              ${n8n.url}/form/transcribe-in-any-language
              ${n8n.url}/form/speak-with-a-cloned-voice
              ${n8n.url}/form/voice-consent
              ${n8n.url}/form/announcement
  Folder      ${relative(process.cwd(), recordings)} (put a recording into it)
  Console     ${service.consoleUrl} (the emulator's wallets, keys and usage)

  Ctrl-C ends all of it. Workflows, files, voices, keys and wallets are kept for the next run.
`;
