import { once } from 'node:events';
import path from 'node:path';

import { disclaimer } from '../emulator/disclaimer.mts';
import { UserFacingError } from '../lib/errors.mts';
import { printStep } from '../lib/progress.mts';
import type { RunningN8n } from '../n8n/start.mts';
import type { Delivery } from './mockSystems/server.mts';
import { describeInstructions } from './instructions.mts';
import { showExamples, type ExampleResults } from './showExamples.mts';
import { startDemo, type Demo } from './startDemo.mts';

/** The usual ports, which are used if they are free. */
const ports = { n8n: 5678, emulator: 8787, mockSystems: 8788 };

export interface RunOptions {
	/** Where the demo keeps everything. */
	folder: string;
	/** Whether to end after the examples; otherwise the demo stays up until it is interrupted. */
	endsAfterExamples: boolean;
	/** Ends the demo if it is aborted. */
	signal: AbortSignal;
}

/**
 * Starts everything and shows the examples.
 *
 * @throws {UserFacingError} if something is missing or fails
 * @throws the signal's reason if it was aborted before everything was up
 */
export async function runDemo({ folder, endsAfterExamples, signal }: RunOptions) {
	const onDelivery = ({ system, content }: Delivery) =>
		console.log(`\n  Received by ${system}: ${JSON.stringify(content)}`);
	const demo = await startDemo({ folder, ports, signal, onStep: printStep, onDelivery });
	const interrupted = once(signal, 'abort');
	try {
		await Promise.race([show(demo, endsAfterExamples), interrupted, failWhenEnded(demo.n8n)]);
		signal.throwIfAborted();
		if (endsAfterExamples) return;
		console.log(describeDemo(demo));
		await Promise.race([interrupted, failWhenEnded(demo.n8n)]);
		console.log('\nStopping n8n and the emulator ...');
	} finally {
		await demo.stop();
	}
}

/** @throws {UserFacingError} when n8n has ended, or why its log cannot be written */
async function failWhenEnded({ ended, logFile }: RunningN8n): Promise<never> {
	await ended;
	throw new UserFacingError(`n8n has ended. ${logFile} has the reason.`);
}

async function show(demo: Demo, endsAfterExamples: boolean) {
	try {
		console.log(describeResults(await showExamples(demo, printStep)));
	} catch (error) {
		// An example that the user has edited may fail. n8n stays up, so that the user can repair it.
		if (endsAfterExamples || !(error instanceof UserFacingError)) throw error;
		console.log(`\n  Warning: ${error.message}`);
	}
}

const describeResults = ({ transcript, voiceId, audioFile, credits }: ExampleResults) => `
${disclaimer.replace(/^/gm, '  ')}

  Transcript  ${transcript}
  Voice ID    ${voiceId}
  Audio       ${path.relative(process.cwd(), audioFile)}
  Credits     ${credits} for these two forms (the emulator's console shows all calls)
`;

const describeDemo = (demo: Demo) => `
  Workflows   ${demo.n8n.url}/home/workflows (n8n's list of all examples)
  Login       ${demo.login.email}
  Password    ${demo.login.password}
  Samples     ${path.relative(process.cwd(), path.join(demo.files, 'samples'))} (recordings to upload)
  Console     ${demo.emulator.consoleUrl} (the emulator's wallets, keys and usage)
  Base URL    ${demo.emulator.baseUrl} (for a credential of your own: create its key in the console)

  The examples. Tickets, messages and notes that they send appear here:

${describeInstructions(demo)}
  Ctrl-C ends all of it. Workflows, files, voices, keys and wallets are kept for the next run.
`;
