import { parse } from 'flatted';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('./rest.mjs').Rest} Rest */

/**
 * A file that a node put out, as n8n describes it.
 * @typedef {{id?: string, data: string, fileName?: string, mimeType: string, fileExtension?: string, fileSize?: string}} BinaryFile
 */

/**
 * @typedef {{json: Record<string, any>, binary?: Record<string, BinaryFile>, pairedItem?: any}} Item
 */

/**
 * A finished execution.
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} status `success`, `error`, `canceled` ...
 * @property {string} [error] what went wrong, in n8n's words
 * @property {(node: string, output?: number) => Item[]} items what a node put out in its last run; nothing if it did not run
 * @property {() => string[]} nodes names of the nodes that ran
 */

const unfinished = new Set(['new', 'running', 'waiting', 'unknown']);

/**
 * Waits until an execution has finished.
 * @param {Rest} rest
 * @param {string} id
 * @param {number} [timeoutMs]
 * @returns {Promise<Execution>} also one that failed: look at its status
 * @throws when it has not finished in time
 */
export async function finishedExecution(rest, id, timeoutMs = 60_000) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const execution = await rest.call('GET', `/executions/${id}`);
		if (isFinished(execution)) return read(execution);
		if (Date.now() > deadline) {
			throw new Error(`Execution ${id} is still ${execution.status} after ${timeoutMs / 1_000} s`);
		}
		await sleep(200);
	}
}

/**
 * Waits for an execution that something else than this program started, and until it has finished.
 * @param {Rest} rest
 * @param {string} workflowId
 * @param {(execution: Execution) => boolean} isIt
 * @param {number} [timeoutMs]
 * @returns {Promise<Execution>}
 */
export async function triggeredExecution(rest, workflowId, isIt, timeoutMs = 60_000) {
	const deadline = Date.now() + timeoutMs;
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const others = new Set();
	for (;;) {
		const { results } = await rest.call('GET', `/executions?filter=${filter}&limit=20`);
		for (const { id } of results) {
			if (others.has(id)) continue;
			const execution = await finishedExecution(rest, id, deadline - Date.now());
			if (isIt(execution)) return execution;
			others.add(id);
		}
		if (Date.now() > deadline) {
			throw new Error(`No execution of workflow ${workflowId} came in ${timeoutMs / 1_000} s`);
		}
		await sleep(300);
	}
}

/**
 * n8n 1 writes an execution's end first and its data a moment later.
 * @param {{status: string, data: string}} execution
 */
function isFinished({ status, data }) {
	if (unfinished.has(status)) return false;
	return status === 'canceled' || (data !== undefined && parse(data) !== undefined);
}

/**
 * @param {{id: string, status: string, data: string}} execution as n8n answers it, its data in flatted's format
 * @returns {Execution}
 */
function read({ id, status, data }) {
	const { resultData = {} } = (data && parse(data)) ?? {};
	const { runData = {}, error } = resultData;
	return {
		id,
		status,
		error: error && [error.message, error.description].filter(Boolean).join(' '),
		nodes: () => Object.keys(runData),
		items: (node, output = 0) => runData[node]?.at(-1)?.data?.main?.[output] ?? [],
	};
}

/**
 * @param {Rest} rest
 * @param {BinaryFile | undefined} file
 * @returns {Promise<Buffer>} its bytes
 */
export async function fileBytes(rest, file) {
	if (!file) throw new Error('There is no such file in the item');
	// Without an id the file is kept in the execution itself.
	if (!file.id) return Buffer.from(file.data, 'base64');
	const query = new URLSearchParams({ id: file.id, action: 'download' });
	const response = await rest.get(`/rest/binary-data?${query}`);
	if (!response.ok) throw new Error(`n8n answered ${response.status} to the download of a file`);
	return Buffer.from(await response.arrayBuffer());
}
