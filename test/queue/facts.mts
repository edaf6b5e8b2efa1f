import { waitForExecution } from '../../dev/n8n/executions.mts';
import { downloadFile } from '../support/executions.mts';
import type { LoggedEmulator } from './load/loggedEmulator.mts';
import { findRecording, type Submission } from './load/submit.mts';
import type { Row } from './executions.mts';
import type { QueueSetup } from './queueSetup.mts';

/**
 * Compares the uploads, executions and calls of a run.
 *
 * @param calls those that reached the service during the run
 */
export async function collectFacts(
	setup: QueueSetup,
	submissions: Submission[],
	rows: Row[],
	calls: LoggedEmulator['calls'],
) {
	const accepted = submissions.filter((one) => one.accepted).map(({ recording }) => recording);
	const executed = rows.map(({ recording }) => recording);
	const responded = calls.filter(({ status }) => status === 200).map(nameCall);
	const statuses: Record<string, number> = {};
	for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
	const reportedOnly: string[] = [];
	const withoutResults: string[] = [];
	const mixedUp: string[] = [];
	for (const { id, recording } of rows.filter(({ status }) => status === 'success')) {
		const made = operations.map((operation) => nameCall({ recording, operation }));
		if (!made.every((name) => responded.includes(name))) reportedOnly.push(id);
		const contents = await readRecordings(setup, id);
		if (contents.length < 3) withoutResults.push(id);
		if (new Set(contents).size > 1) mixedUp.push(`${id}: ${contents.join()}`);
	}
	const failed = rows.filter(({ status }) => status === 'error');
	const errors = failed.map(
		async ({ id }) => (await waitForExecution(setup.cluster.rest, id)).error,
	);
	return {
		/** Uploads that the form accepted. */
		accepted: accepted.length,
		/** The form's responses to the others. */
		refused: submissions.filter((one) => !one.accepted).map(({ response }) => response),
		executions: rows.length,
		/** How many executions ended how. */
		statuses,
		/** The errors of executions with the status `error`. */
		errors: await Promise.all(errors),
		/** Calls that reached the service. */
		calls: calls.length,
		/** Accepted recordings without an execution. */
		lost: accepted.filter((recording) => !executed.includes(recording)),
		/** Recordings with several executions. */
		doubled: findRepeated(executed),
		/** Calls that reached the service more than once. */
		paidTwice: findRepeated(calls.map(nameCall)),
		/** Successful executions without their two calls. */
		reportedOnly,
		/** Successful executions that lack the output of a node, because n8n could not save it. */
		withoutResults,
		/** Successful executions that contain another recording. */
		mixedUp,
	};
}

const operations = ['speech-to-text', 'text-to-speech'];

const nameCall = ({ recording, operation }: { recording: string; operation: string }) =>
	`${recording} ${operation}`;

const findRepeated = (names: string[]) =>
	names.filter((name, index) => names.indexOf(name) !== index);

/**
 * Which recording was uploaded, was transcribed, and is in the speech; empty if it is another one.
 *
 * @returns three of them, fewer if n8n lacks the output of a node
 */
async function readRecordings({ cluster: { rest } }: QueueSetup, id: string): Promise<string[]> {
	const execution = await waitForExecution(rest, id);
	const recordings: string[] = [];
	// n8n's recovery puts an empty item in the place of output that was not saved.
	for (const { binary } of execution.items('Form')) {
		const file = binary?.Recording;
		if (file) recordings.push(String(file.fileName).replace(/\.wav$/, ''));
	}
	for (const { json } of execution.items('Transcribe')) {
		if (json.text !== undefined) recordings.push(findRecording(String(json.text)));
	}
	for (const { binary } of execution.items('Speak')) {
		const file = binary?.data;
		if (file) recordings.push(findRecording((await downloadFile(rest, file)).toString('latin1')));
	}
	return recordings;
}
