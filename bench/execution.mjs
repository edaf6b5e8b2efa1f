import { parse } from 'flatted';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('../hosts/rest.mjs').Rest} Rest */
/** @typedef {import('../hosts/executions.mjs').Item} Item */

/**
 * How one node ran, as n8n itself recorded it.
 * @typedef {{from: number, to: number, items: Item[]}} NodeRun
 * times in milliseconds since 1970
 */

/**
 * Waits for an execution, and reads from it how one of its nodes ran.
 * @param {Rest} rest
 * @param {string} id
 * @param {string} node
 * @returns {Promise<NodeRun>}
 * @throws when the execution did not succeed
 */
export async function nodeRun(rest, id, node) {
	// Seldom: reading an execution is work for the n8n that is being measured.
	for (let wait = 500; ; wait = Math.min(wait * 1.5, 3_000)) {
		await sleep(wait);
		const { results } = await patiently(async () => await rest.call('GET', '/executions?limit=1'));
		const [latest] = results;
		if (latest?.id === id && latest.stoppedAt) break;
	}
	const { status, data } = await patiently(async () => await rest.call('GET', `/executions/${id}`));
	const { resultData } = parse(data);
	if (status !== 'success') {
		const { message = '', description = '' } = resultData.error ?? {};
		throw new Error(`A workflow ended with "${status}": ${message} ${description ?? ''}`);
	}
	const [run] = resultData.runData[node];
	const { startTime, executionTime } = run;
	return { from: startTime, to: startTime + executionTime, items: run.data.main[0] };
}

/**
 * A busy n8n may close a kept connection at the moment it is used again, not answer for minutes, or say that its
 * database is not ready.
 * @template T
 * @param {() => Promise<T>} read
 * @returns {Promise<T>}
 */
async function patiently(read) {
	for (let failures = 0; ; failures++) {
		try {
			return await read();
		} catch (error) {
			const isBusy = error instanceof TypeError || String(error).includes('answered 503');
			if (!isBusy || failures === 20) throw error;
			await sleep(1_000);
		}
	}
}
