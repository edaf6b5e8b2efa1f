import { RestError } from './rest.mts';
import { until } from '../lib/until.mts';
import type { Rest } from './rest.mts';

/** A workflow as n8n exports it. */
export interface Workflow {
	name: string;
	nodes: {
		name: string;
		type: string;
		parameters: Record<string, any>;
		webhookId?: string;
		credentials?: Record<string, { id: string; name: string }>;
	}[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** data that the editor uses in place of a node's output */
	pinData?: Record<string, unknown> | null;
}

/**
 * Saves a workflow, over the one with that id where there is one.
 * @param id of the workflow to replace
 */
export async function putWorkflow(
	rest: Rest,
	{ name, nodes, connections, settings = {}, pinData }: Workflow,
	id?: string,
): Promise<{ id: string; versionId: string }> {
	// Never null, as n8n would store it by default: the second "Execute step" in the editor would fail (n8n 2.41.1).
	const content = { name, nodes, connections, settings, pinData: pinData ?? {} };
	if (id) {
		const { versionId } = await rest.call('GET', `/workflows/${id}`);
		return await rest.call('PATCH', `/workflows/${id}`, { ...content, versionId });
	}
	return await rest.call('POST', '/workflows', { ...content, active: false });
}

/**
 * Publishes a workflow and waits until its triggers are on.
 * @throws when n8n refuses, or when the triggers are not on in time
 */
export async function activate(
	rest: Rest,
	{ id, versionId }: { id: string; versionId: string },
	timeoutMs: number = 60_000,
): Promise<void> {
	if (!(await ifKnown(rest.call('POST', `/workflows/${id}/activate`, { versionId })))) {
		// n8n 1 has no publishing: a workflow is switched on by a field of its own.
		await rest.call('PATCH', `/workflows/${id}`, { active: true, versionId });
		return;
	}
	let status = '';
	const look = async () => {
		const state: { status: string; triggers: { errorMessage: string | null }[] } | undefined =
			await ifKnown(rest.call('GET', `/workflows/${id}/publication-status`));
		// n8n 2.0 publishes at once.
		if (state === undefined || state.status === 'published') return true;
		const problem = state.triggers.find((trigger) => trigger.errorMessage)?.errorMessage;
		if (problem) throw new Error(`The workflow was not published: ${problem}`);
		({ status } = state);
		return undefined;
	};
	await until(look, timeoutMs, () => `The workflow is still ${status}`);
}

/** @returns its result; nothing where this n8n does not have the path */
const ifKnown = async (call: Promise<any>): Promise<any> =>
	await call.catch((error) => {
		if (!(error instanceof RestError) || error.status !== 404) throw error;
	});

/**
 * Runs a saved workflow as the editor's button does.
 * @param workflow as saved
 * @param trigger name of the node to start from
 * @returns the execution's id
 */
export async function run(
	rest: Rest,
	workflow: Workflow & { id: string },
	trigger: string,
): Promise<string> {
	const { executionId } = await rest.call('POST', `/workflows/${workflow.id}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: trigger },
	});
	return executionId;
}
