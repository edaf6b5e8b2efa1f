import { Problem } from '../n8n/problem.mjs';
import { RestError } from '../n8n/rest.mjs';
import { fingerprint } from '../n8n/stamp.mjs';
import { activate, putWorkflow } from '../n8n/workflows.mjs';
import { readExamples, withChoices } from './examples.mjs';

/**
 * n8n publishes a chat only with a credential for its model, and a mailbox's workflow only with the mailbox's.
 * @param {import('../n8n/workflows.mjs').Workflow} workflow
 */
const lacksCredential = ({ nodes }) =>
	nodes.some(({ type }) => /\.(chatTrigger|emailReadImap)$/.test(type));

/**
 * Imports and publishes the examples. An example that is already in n8n is imported again only if it
 * has changed in this repository: the user may have edited it.
 * @param {import('../n8n/rest.mjs').Rest} rest
 * @param {object} options
 * @param {import('./state.mjs').State} options.state what was imported before, changed in place
 * @param {{id: string, name: string}} options.credential
 * @param {string} options.files the folder that n8n may read and write
 * @param {(problem: Problem) => void} [options.onWarning] called instead of throwing if an edited
 *   example cannot be published
 * @returns {Promise<Record<string, {id: string}>>} the workflows by the example's name
 */
export async function importExamples(rest, { state, credential, files, onWarning }) {
	for (const { name, workflow } of await readExamples()) {
		const chosen = withChoices(workflow, { credential, files });
		const wanted = fingerprint([JSON.stringify(chosen)]);
		const before = state.workflows[name];
		const existing = before && (await find(rest, before.id));
		const isKept = existing && before?.fingerprint === wanted;
		const saved = isKept ? existing : await putWorkflow(rest, chosen, existing?.id);
		state.workflows[name] = { id: saved.id, fingerprint: wanted };
		if (lacksCredential(workflow) || (isKept && existing.active)) continue;
		await activate(rest, saved).catch((error) => {
			if (!isKept || !onWarning) throw error;
			onWarning(new Problem(`n8n cannot publish the edited example "${name}": ${error.message}`));
		});
	}
	return state.workflows;
}

/**
 * @param {import('../n8n/rest.mjs').Rest} rest
 * @param {string} id
 */
async function find(rest, id) {
	try {
		const workflow = await rest.call('GET', `/workflows/${id}`);
		return workflow.isArchived ? undefined : workflow;
	} catch (error) {
		if (error instanceof RestError && [403, 404].includes(error.status)) return undefined;
		throw error;
	}
}
