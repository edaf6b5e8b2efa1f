import { parse } from 'flatted';
import type { INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';

import { waitUntil } from '../lib/waitUntil.mts';
import { RestError, type Rest } from './rest.mts';

export interface Execution {
	id: string;
	/** `success`, `error`, `canceled` ... */
	status: string;
	/** What went wrong, in n8n's words. */
	error?: string;
	/** What n8n recorded of the last run of a node; undefined if it did not run. */
	task: (node: string) => ITaskData | undefined;
	/** The output items of the last run of a node; empty if it did not run. */
	items: (node: string, output?: number) => INodeExecutionData[];
	/** Names of the nodes that ran. */
	nodes: () => string[];
}

/** n8n's response about an execution. */
interface RawExecution {
	id: string;
	status: string;
	/** In the format of the package `flatted`. */
	data: string;
}

const unfinishedStatuses = new Set(['new', 'running', 'waiting', 'unknown']);

/**
 * Waits until an execution has finished.
 *
 * @param intervalMs the pause between two calls. A longer one leaves n8n more time for its own work.
 * @returns the execution, even if it failed, which its status shows
 * @throws {RestError} if n8n refuses to show it
 * @throws {UserFacingError} if it has not finished in time
 */
export async function waitForExecution(
	rest: Rest,
	id: string,
	timeoutMs: number = 60_000,
	intervalMs: number = 200,
): Promise<Execution> {
	let status = '';
	const readIfFinished = async (): Promise<Execution | undefined> => {
		const execution = await rest
			.call<RawExecution>('GET', `/executions/${id}`)
			.catch((error: unknown) => {
				if (error instanceof RestError && error.status < 500) throw error;
				// A busy n8n may close a connection early, or report that its database is not ready.
				status = `not readable: ${(error as Error).message}`;
			});
		if (!execution) return undefined;
		({ status } = execution);
		if (unfinishedStatuses.has(status)) return undefined;
		// Older versions of n8n write an execution's status first and its data a moment later. Until then, it has no data or
		// that of its start.
		const parsed = execution.data ? (parse(execution.data) as IRunExecutionData) : undefined;
		const { runData = {}, error, lastNodeExecuted } = parsed?.resultData ?? {};
		if (status !== 'canceled' && !error && !lastNodeExecuted) return undefined;
		const task = (node: string): ITaskData | undefined => runData[node]?.at(-1);
		return {
			id,
			status,
			error: error && [error.message, error.description].filter(Boolean).join(' '),
			nodes: () => Object.keys(runData),
			task,
			items: (node, output = 0) => task(node)?.data?.main?.[output] ?? [],
		};
	};
	return await waitUntil(readIfFinished, {
		timeoutMs,
		intervalMs,
		createMessage: () => `Execution ${id} is still ${status}`,
	});
}
