import type { IBinaryData } from 'n8n-workflow';

import { waitForExecution, type Execution } from '../../dev/n8n/executions.mts';
import { RestError, type Rest } from '../../dev/n8n/rest.mts';
import type { Workflow } from '../../dev/n8n/workflows.mts';
import { waitUntil } from '../../dev/lib/waitUntil.mts';

/**
 * Waits for an execution that a trigger starts, and until it has finished.
 *
 * @param isIt whether this execution of the workflow is the one to wait for
 * @throws {Error} if it has not finished in time
 */
export async function waitForTriggeredExecution(
	rest: Rest,
	workflowId: string,
	isIt: (execution: Execution) => boolean,
	timeoutMs: number = 60_000,
): Promise<Execution> {
	const deadline = Date.now() + timeoutMs;
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const others = new Set();
	const findExecution = async () => {
		const path = `/executions?filter=${filter}&limit=20`;
		const { results } = await rest.call<{ results: Array<{ id: string }> }>('GET', path);
		for (const { id } of results) {
			if (others.has(id)) continue;
			const execution = await waitForExecution(rest, id, deadline - Date.now());
			if (isIt(execution)) return execution;
			others.add(id);
		}
		return undefined;
	};
	return await waitUntil(findExecution, {
		timeoutMs,
		intervalMs: 200,
		createMessage: () => `Workflow ${workflowId} was not executed`,
	});
}

/**
 * Writes to the node "Chat" of a workflow, as the editor's chat does.
 *
 * @returns the ID of the execution
 */
export async function startChat(
	rest: Rest,
	workflow: Workflow & { id: string },
	chatInput: string,
): Promise<string> {
	const json = { sessionId: 'one', action: 'sendMessage', chatInput };
	const data = { startTime: 0, executionTime: 0, source: [], data: { main: [[{ json }]] } };
	const body = { workflowData: workflow, triggerToStartFrom: { name: 'Chat', data } };
	const path = `/workflows/${workflow.id}/run`;
	return (await rest.call<{ executionId: string }>('POST', path, body)).executionId;
}

/**
 * Downloads a file of an execution.
 *
 * @throws {Error} if there is no such file
 */
export async function downloadFile(rest: Rest, file: IBinaryData | undefined): Promise<Buffer> {
	if (!file) throw new Error('The item has no such file');
	// The file is in the execution itself.
	if (!file.id) return Buffer.from(file.data, 'base64');
	const query = new URLSearchParams({ id: file.id, action: 'download' });
	const response = await rest.get(`/rest/binary-data?${query}`);
	if (!response.ok) throw new RestError('GET /rest/binary-data', response.status, '');
	return Buffer.from(await response.arrayBuffer());
}
