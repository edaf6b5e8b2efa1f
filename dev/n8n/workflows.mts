import { waitUntil } from '../lib/waitUntil.mts';
import { RestError, type CredentialReference, type Rest } from './rest.mts';

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	webhookId?: string;
	/** By the type of the credential. */
	credentials?: Record<string, CredentialReference>;
}

/** A workflow as n8n exports it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** Data that the editor uses in place of a node's output. */
	pinData?: Record<string, unknown> | null;
}

export interface SavedWorkflow {
	id: string;
	/** Changes whenever the workflow is saved. */
	versionId: string;
}

/** n8n's response about the publishing of a workflow. */
interface PublicationStatus {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

/**
 * Saves a workflow.
 *
 * @param id of the workflow to replace; a new one by default
 */
export async function putWorkflow(
	rest: Rest,
	{ name, nodes, connections, settings = {}, pinData }: Workflow,
	id?: string,
): Promise<SavedWorkflow> {
	// n8n stores null by default, with which the second "Execute step" in the editor fails.
	const content = { name, nodes, connections, settings, pinData: pinData ?? {} };
	if (id) {
		const { versionId } = await rest.call<SavedWorkflow>('GET', `/workflows/${id}`);
		return await rest.call('PATCH', `/workflows/${id}`, { ...content, versionId });
	}
	return await rest.call('POST', '/workflows', { ...content, active: false });
}

/**
 * Publishes a workflow and waits until its triggers are on.
 *
 * @throws {UserFacingError} if the triggers are not on in time
 * @throws {Error} if n8n refuses
 */
export async function activateWorkflow(
	rest: Rest,
	{ id, versionId }: SavedWorkflow,
): Promise<void> {
	if (!(await ignoreNotFound(rest.call('POST', `/workflows/${id}/activate`, { versionId })))) {
		// Older versions of n8n cannot publish workflows. There, a field of the workflow switches it on.
		await rest.call('PATCH', `/workflows/${id}`, { active: true, versionId });
		return;
	}
	let status = '';
	const checkPublication = async () => {
		const path = `/workflows/${id}/publication-status`;
		const state = await ignoreNotFound(rest.call<PublicationStatus>('GET', path));
		// Older versions of n8n have published the workflow already, and do not have this path.
		if (state === undefined || state.status === 'published') return true;
		const problem = state.triggers.find((trigger) => trigger.errorMessage)?.errorMessage;
		if (problem) throw new Error(`The workflow was not published: ${problem}`);
		({ status } = state);
		return false;
	};
	const createMessage = () => `The workflow is still ${status}`;
	await waitUntil(checkPublication, { timeoutMs: 60_000, intervalMs: 200, createMessage });
}

/** @returns the result of the call; undefined if this n8n does not have the path */
const ignoreNotFound = async <T,>(call: Promise<T>): Promise<T | undefined> =>
	await call.catch((error: unknown) => {
		if (!(error instanceof RestError) || error.status !== 404) throw error;
		return undefined;
	});

/**
 * Runs a saved workflow as the editor's button does.
 *
 * @param workflow as saved
 * @param trigger name of the node to start from
 * @returns the execution's id
 */
export async function runWorkflow(
	rest: Rest,
	workflow: Workflow & { id: string },
	trigger: string,
): Promise<string> {
	const body = { workflowData: workflow, triggerToStartFrom: { name: trigger } };
	const path = `/workflows/${workflow.id}/run`;
	return (await rest.call<{ executionId: string }>('POST', path, body)).executionId;
}
