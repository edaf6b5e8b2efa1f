import { RestError } from '../hosts/rest.mjs';
import { fingerprint } from '../hosts/stamp.mjs';
import { activate, putWorkflow } from '../hosts/workflows.mjs';
import { readExamples, withChoices } from './examples.mjs';

/**
 * A chat is used in the editor; n8n would not publish it without a credential for its model, which is the
 * reader's own.
 * @param {import('../hosts/workflows.mjs').Workflow} workflow
 */
const isChat = ({ nodes }) => nodes.some(({ type }) => type.endsWith('.chatTrigger'));

/**
 * Imports and publishes the examples. One that is in n8n already and has not changed in this repository
 * is left as it is: its reader may have worked on it.
 * @param {import('../hosts/rest.mjs').Rest} rest
 * @param {object} choice
 * @param {import('./state.mjs').State} choice.state what was imported before; brought up to date
 * @param {{id: string, name: string}} choice.credential
 * @param {string} choice.files the folder that n8n may read and write
 * @returns {Promise<Record<string, {id: string}>>} the workflows by the example's name
 */
export async function importExamples(rest, { state, credential, files }) {
	for (const { name, workflow } of await readExamples()) {
		const own = withChoices(workflow, { credential, files });
		const wanted = fingerprint([JSON.stringify(own)]);
		const before = state.workflows[name];
		const existing = before && (await find(rest, before.id));
		let saved = existing;
		if (!existing || before?.fingerprint !== wanted) {
			saved = await putWorkflow(rest, own, existing?.id);
			state.workflows[name] = { id: saved.id, fingerprint: wanted };
		}
		const isOn = saved === existing && existing?.active;
		if (!isOn && !isChat(workflow)) await activate(rest, saved);
	}
	return state.workflows;
}

/**
 * @param {import('../hosts/rest.mjs').Rest} rest
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
