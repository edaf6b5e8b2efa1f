import { RestError } from './rest.mjs';
import { until } from './until.mjs';

/** @typedef {import('./rest.mjs').Rest} Rest */

/**
 * A workflow as n8n exports it.
 * @typedef {object} Workflow
 * @property {string} name
 * @property {{name: string, type: string, parameters: Record<string, any>, webhookId?: string, credentials?: Record<string, {id: string, name: string}>}[]} nodes
 * @property {Record<string, unknown>} connections
 * @property {Record<string, unknown>} [settings]
 * @property {Record<string, unknown> | null} [pinData] data that the editor uses in place of a node's output
 */

/**
 * Saves a workflow, over the one with that id where there is one.
 * @param {Rest} rest
 * @param {Workflow} workflow
 * @param {string} [id] of the workflow to replace
 * @returns {Promise<{id: string, versionId: string}>}
 */
export async function putWorkflow(rest, { name, nodes, connections, settings = {}, pinData }, id) {
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
 * @param {Rest} rest
 * @param {{id: string, versionId: string}} workflow
 * @param {number} [timeoutMs]
 * @returns {Promise<void>}
 * @throws when n8n refuses, or when the triggers are not on in time
 */
export async function activate(rest, { id, versionId }, timeoutMs = 60_000) {
	if (!(await ifKnown(rest.call('POST', `/workflows/${id}/activate`, { versionId })))) {
		// n8n 1 has no publishing: a workflow is switched on by a field of its own.
		await rest.call('PATCH', `/workflows/${id}`, { active: true, versionId });
		return;
	}
	let status = '';
	const look = async () => {
		/** @type {{status: string, triggers: {errorMessage: string | null}[]} | undefined} */
		const state = await ifKnown(rest.call('GET', `/workflows/${id}/publication-status`));
		// n8n 2.0 publishes at once.
		if (state === undefined || state.status === 'published') return true;
		const problem = state.triggers.find((trigger) => trigger.errorMessage)?.errorMessage;
		if (problem) throw new Error(`The workflow was not published: ${problem}`);
		({ status } = state);
		return undefined;
	};
	await until(look, timeoutMs, () => `The workflow is still ${status}`);
}

/** @param {Promise<any>} call @returns {Promise<any>} its result; nothing where this n8n does not have the path */
const ifKnown = async (call) =>
	await call.catch((error) => {
		if (!(error instanceof RestError) || error.status !== 404) throw error;
	});

/**
 * Runs a saved workflow as the editor's button does.
 * @param {Rest} rest
 * @param {Workflow & {id: string}} workflow as saved
 * @param {string} trigger name of the node to start from
 * @returns {Promise<string>} the execution's id
 */
export async function run(rest, workflow, trigger) {
	const { executionId } = await rest.call('POST', `/workflows/${workflow.id}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: trigger },
	});
	return executionId;
}
