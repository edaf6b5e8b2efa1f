import { Problem } from '../n8n/problem.mjs';
import { nodeTypes, RestError } from '../n8n/rest.mjs';
import { fingerprint } from '../n8n/fingerprint.mjs';
import { activate, putWorkflow } from '../n8n/workflows.mjs';
import { readExamples, withChoices } from './examples.mjs';

/**
 * Imports the examples, and publishes those that lack no credential: n8n refuses the others. An example that is already in n8n is
 * imported again only if it has changed in this repository: the user may have edited it.
 * @param {import('../n8n/rest.mjs').Rest} rest
 * @param {import('./examples.mjs').Choices & {
 *   state: import('./state.mjs').State, onWarning?: (problem: Problem) => void}} options
 *   `state`: what was imported before, changed in place; `onWarning`: called instead of throwing if an edited example
 *   cannot be published
 * @returns {Promise<Record<string, {id: string}>>} the workflows by the example's name
 */
export async function importExamples(rest, { state, onWarning, ...choices }) {
	const needing = await typesWithCredential(rest);
	for (const { name, workflow } of await readExamples()) {
		const chosen = withChoices(workflow, choices);
		const wanted = fingerprint([JSON.stringify(chosen)]);
		const before = state.workflows[name];
		const existing = before && (await find(rest, before.id));
		const isKept = existing && before?.fingerprint === wanted;
		const saved = isKept ? existing : await putWorkflow(rest, chosen, existing?.id);
		state.workflows[name] = { id: saved.id, fingerprint: wanted };
		const isIncomplete = chosen.nodes.some((node) => !node.credentials && needing.has(node.type));
		if (isIncomplete || (isKept && existing.active)) continue;
		await activate(rest, saved).catch((error) => {
			if (!isKept || !onWarning) throw error;
			onWarning(new Problem(`n8n cannot publish the edited example "${name}": ${error.message}`));
		});
	}
	return state.workflows;
}

/**
 * @param {import('../n8n/rest.mjs').Rest} rest
 * @returns {Promise<Set<string>>} names of the node types that always need a credential
 */
async function typesWithCredential(rest) {
	const types = (await nodeTypes(rest)).filter(({ credentials = [] }) =>
		credentials.some(({ required, displayOptions }) => required && !displayOptions),
	);
	return new Set(types.map(({ name }) => name));
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
