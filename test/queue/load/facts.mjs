import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileBytes, finishedExecution } from '../../../dev/n8n/executions.mjs';
import { makeRecording, recordingIn } from './recordings.mjs';

/**
 * What became of a run. Each list names faults.
 * @typedef {object} Facts
 * @property {number} accepted uploads that the form accepted
 * @property {string[]} refused its responses to the others
 * @property {number} executions
 * @property {Record<string, number>} statuses how many executions ended how
 * @property {string[]} lost accepted recordings without an execution
 * @property {string[]} doubled recordings with several executions
 * @property {string[]} paidTwice calls that reached the service more than once
 * @property {string[]} reportedOnly successful executions without their two calls
 * @property {string[]} mixedUp successful executions that contain another recording
 * @property {number} calls that reached the service
 * @property {number[]} byWorker executions that each worker has started so far
 */

/**
 * @param {object} run
 * @param {import('../../../dev/n8n/queue/cluster.mjs').Cluster} run.cluster
 * @param {import('./service.mjs').Service} run.service
 * @param {import('./submit.mjs').Submission[]} run.submissions
 * @param {import('./executions.mjs').Row[]} run.rows
 * @returns {Promise<Facts>}
 */
export async function factsOf({ cluster, service: { calls }, submissions, rows }) {
	const accepted = submissions.filter((one) => one.accepted).map(({ recording }) => recording);
	const executed = rows.map(({ recording }) => recording);
	const responded = calls.filter(({ status }) => status === 200).map(nameOf);
	/** @type {Record<string, number>} */
	const statuses = {};
	for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1;
	const reportedOnly = [];
	const mixedUp = [];
	for (const { id, recording } of rows.filter(({ status }) => status === 'success')) {
		const made = operations.map((operation) => nameOf({ recording, operation }));
		if (!made.every((name) => responded.includes(name))) reportedOnly.push(id);
		const contents = await recordingsIn(cluster.rest, id);
		if (new Set(contents).size > 1) mixedUp.push(`${id}: ${contents}`);
	}
	const starts = cluster.workers.map(async ({ logFile }) => {
		return (await readFile(logFile, 'utf8')).split('Worker started execution').length - 1;
	});
	return {
		...{ accepted: accepted.length, executions: rows.length, calls: calls.length, statuses },
		refused: submissions.filter((one) => !one.accepted).map(({ answer }) => answer),
		lost: accepted.filter((recording) => !executed.includes(recording)),
		doubled: repeated(executed),
		paidTwice: repeated(calls.map(nameOf)),
		...{ reportedOnly, mixedUp },
		byWorker: await Promise.all(starts),
	};
}

const operations = ['speech-to-text', 'text-to-speech'];

/** @param {{recording: string, operation: string}} call */
const nameOf = ({ recording, operation }) => `${recording} ${operation}`;

/** @param {string[]} names */
const repeated = (names) => names.filter((name, index) => names.indexOf(name) !== index);

/**
 * Reads a finished execution as its owner does, from n8n itself.
 * @param {import('../../../dev/n8n/rest.mjs').Rest} rest
 * @param {string} id
 * @returns {Promise<string[]>} which recording was uploaded, arrived at the service, was transcribed, and is in the
 *   speech; empty if it is another one
 */
async function recordingsIn(rest, id) {
	const execution = await finishedExecution(rest, id);
	const [form] = execution.items('Form');
	const [transcript] = execution.items('Transcribe');
	const [speech] = execution.items('Speak');
	const uploaded = String(form?.binary?.Recording?.fileName).replace(/\.wav$/, '');
	const [run = '', number] = uploaded.split('-');
	const { bytes } = makeRecording(run, Number(number));
	const sent = createHash('sha256').update(bytes).digest('hex');
	const audio = await fileBytes(rest, speech?.binary?.data);
	return [
		uploaded,
		transcript?.json.recording?.sha256 === sent ? uploaded : '',
		recordingIn(transcript?.json.text ?? ''),
		recordingIn(audio.toString('latin1')),
	];
}
