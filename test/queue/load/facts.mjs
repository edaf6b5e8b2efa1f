import { createHash } from 'node:crypto';
import { fileBytes, finishedExecution } from '../../../dev/n8n/executions.mjs';
import { startsByExecution } from './executions.mjs';
import { makeRecording, recordingIn } from './recordings.mjs';

/** @typedef {import('../../../dev/n8n/rest.mjs').Rest} Rest */

/**
 * Which recording each part of a finished execution belongs to: always the same one, unless executions were mixed up.
 * @typedef {object} Content
 * @property {string} id of the execution
 * @property {string} uploaded of the form, by the file name
 * @property {string} arrived at the service, by the hash; empty if another one
 * @property {string} transcribed of the transcript, by its text
 * @property {string} spoken of the audio in n8n's storage, by its text
 */

/**
 * What became of a run. Each list names faults.
 * @typedef {object} Facts
 * @property {number} accepted uploads that the form accepted
 * @property {number} executions
 * @property {Record<string, number>} statuses how many executions ended how
 * @property {string[]} lost accepted recordings without an execution
 * @property {string[]} doubled recordings with several executions
 * @property {string[]} startedAgain executions that were started more than once
 * @property {string[]} paidTwice calls that reached the service more often than n8n started their execution
 * @property {string[]} reportedOnly successful executions without their two calls
 * @property {Content[]} mixedUp successful executions that contain another recording
 * @property {number} calls that reached the service
 * @property {number[]} byWorker executions that each worker started
 */

/**
 * @param {object} run
 * @param {import('../../../dev/n8n/queue/cluster.mjs').Cluster} run.cluster
 * @param {import('./service.mjs').Service} run.service
 * @param {import('./submit.mjs').Submission[]} run.submissions
 * @param {import('./executions.mjs').Row[]} run.rows
 * @returns {Promise<Facts>}
 */
export async function factsOf({ cluster, service, submissions, rows }) {
	const calls = await service.calls();
	const starts = await startsByExecution(cluster);
	const accepted = submissions.filter((one) => one.accepted).map(({ recording }) => recording);
	const executions = groupBy(rows, ({ recording }) => recording);
	const made = groupBy(calls, (call) => `${call.recording} ${call.operation}`);
	const startsOf = (/** @type {import('./executions.mjs').Row} */ row) =>
		starts.get(row.id)?.length ?? 0;
	const answered = (/** @type {string} */ recording, /** @type {string} */ operation) =>
		made.get(`${recording} ${operation}`)?.some(({ status }) => status === 200);
	const succeeded = rows.filter(({ status }) => status === 'success');
	const contents = await readContents(
		cluster.rest,
		succeeded.map(({ id }) => id),
	);
	return {
		accepted: accepted.length,
		executions: rows.length,
		statuses: count(rows.map(({ status }) => status)),
		lost: accepted.filter((recording) => !executions.has(recording)),
		doubled: [...executions].filter(([, all]) => all.length > 1).map(([recording]) => recording),
		startedAgain: rows.filter((row) => startsOf(row) > 1).map(({ id }) => id),
		paidTwice: [...made]
			.filter(([key, all]) => {
				const own = executions.get(key.split(' ')[0] ?? '') ?? [];
				return all.length > own.reduce((sum, row) => sum + startsOf(row), 0);
			})
			.map(([key]) => key),
		reportedOnly: succeeded
			.filter(
				({ recording }) =>
					!answered(recording, 'speech-to-text') || !answered(recording, 'text-to-speech'),
			)
			.map(({ id }) => id),
		mixedUp: contents.filter(isMixedUp),
		calls: calls.length,
		byWorker: cluster.workers.map(
			(_, worker) => rows.filter(({ id }) => starts.get(id)?.includes(worker)).length,
		),
	};
}

/**
 * @template T
 * @param {T[]} all
 * @param {(one: T) => string} keyOf
 */
function groupBy(all, keyOf) {
	/** @type {Map<string, T[]>} */
	const groups = new Map();
	for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
	return groups;
}

/** @param {string[]} names */
function count(names) {
	/** @type {Record<string, number>} */
	const counts = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

/**
 * Reads finished executions as their owner does, from n8n itself: four at a time.
 * @param {Rest} rest
 * @param {string[]} ids
 * @returns {Promise<Content[]>}
 */
async function readContents(rest, ids) {
	const left = [...ids];
	/** @type {Content[]} */
	const contents = [];
	const work = async () => {
		for (let id = left.shift(); id; id = left.shift()) contents.push(await readContent(rest, id));
	};
	await Promise.all(Array.from({ length: 4 }, work));
	return contents;
}

/**
 * @param {Rest} rest
 * @param {string} id
 * @returns {Promise<Content>}
 */
async function readContent(rest, id) {
	const execution = await finishedExecution(rest, id);
	const [form] = execution.items('Form');
	const [transcript] = execution.items('Transcribe');
	const [speech] = execution.items('Speak');
	const uploaded = String(form?.binary?.Recording?.fileName).replace(/\.wav$/, '');
	const [run = '', number] = uploaded.split('-');
	const sent = createHash('sha256')
		.update(makeRecording(run, Number(number)).bytes)
		.digest('hex');
	const audio = await fileBytes(rest, speech?.binary?.data);
	return {
		id,
		uploaded,
		arrived: transcript?.json.recording?.sha256 === sent ? uploaded : '',
		transcribed: recordingIn(transcript?.json.text ?? ''),
		spoken: recordingIn(audio.toString('latin1')),
	};
}

/** @param {Content} content */
function isMixedUp({ uploaded, arrived, transcribed, spoken }) {
	return [arrived, transcribed, spoken].some((recording) => recording !== uploaded);
}
