import type { IBinaryData } from 'n8n-workflow';

import { RestError, type Rest } from '../../dev/n8n/rest.mts';
import type { Workflow } from '../../dev/n8n/workflows.mts';

/** The IDs of a workflow's newest executions, or of those that have this status. */
export async function listExecutions(
	rest: Rest,
	workflowId: string,
	status?: string,
): Promise<string[]> {
	const filter = JSON.stringify({ workflowId, ...(status && { status: [status] }) });
	const path = `/executions?filter=${encodeURIComponent(filter)}&limit=20`;
	const { results } = await rest.call<{ results: Array<{ id: string }> }>('GET', path);
	return results.map(({ id }) => id);
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
