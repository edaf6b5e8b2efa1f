import { relative } from 'node:path';
import { assertPortFree } from '../hosts/ports.mjs';
import { Problem } from '../hosts/problem.mjs';
import { startDemo } from './setup.mjs';
import { showExamples } from './show.mjs';

/**
 * Starts everything, shows the examples, and stays up until it is interrupted; or, with `once`, ends.
 * @param {import('./options.mjs').Options} options
 * @param {import('./progress.mjs').Progress} progress
 * @param {AbortSignal} signal
 * @returns {Promise<void>} when nothing of it is running any more
 * @throws {Problem} when something of it can't be had, or the signal's reason
 */
export async function run(options, progress, signal) {
	const { folder, port, emulatorPort, fresh, once } = options;
	await assertPortFree(port, 'n8n', '--port');
	await assertPortFree(emulatorPort, 'the emulator', '--emulator-port');
	const onStep = progress.step;
	const demo = await startDemo({ folder, port, emulatorPort, fresh, onStep, signal });
	try {
		const shown = await Promise.race([showExamples(demo, onStep), interruption(signal)]);
		progress.end();
		process.stdout.write(results(shown));
		if (once) return;
		process.stdout.write(invitation(demo));
		await untilEnd(demo, signal);
		process.stdout.write('\nStopping n8n and the emulator ...\n');
	} finally {
		progress.end();
		await demo.stop();
	}
}

/**
 * @param {import('./setup.mjs').Demo} demo
 * @param {AbortSignal} signal
 */
async function untilEnd({ n8n }, signal) {
	const interrupted = interruption(signal).catch(() => 'interrupted');
	const why = await Promise.race([interrupted, n8n.ended.then(() => 'ended')]);
	if (why === 'ended') throw new Problem(`n8n has ended by itself: ${n8n.logFile} says why.`);
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

  Ctrl-C ends all of it. What you make in n8n is kept for the next run.
`;
