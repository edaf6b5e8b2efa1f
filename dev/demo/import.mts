import { Problem } from '../lib/problem.mts';
import { nodeTypes, RestError } from '../n8n/rest.mts';
import { fingerprint } from '../lib/fingerprint.mts';
import { activate, putWorkflow } from '../n8n/workflows.mts';
import { readExamples, withChoices } from './examples.mts';
import type { Rest } from '../n8n/rest.mts';
import type { Choices } from './examples.mts';
import type { State } from './state.mts';

/**
 * Imports the examples, and publishes those that lack no credential: n8n refuses the others. An example that is already
 * in n8n is imported again only if it, or an address in it, has changed and the user has not edited it.
 * @param options `state`: what was imported before, changed in place; `onWarning`: called instead of throwing if an edited example cannot be published, and if one is not replaced
 * @returns the workflows by the example's name
 */
export async function importExamples(
	rest: Rest,
	{
		state,
		onWarning,
		...choices
	}: Choices & {
		state: State;
		onWarning?: (problem: Problem) => void;
	},
): Promise<Record<string, { id: string }>> {
	const needing = await typesWithCredential(rest);
	for (const { name, workflow } of await readExamples()) {
		const chosen = withChoices(workflow, choices);
		const wanted = fingerprint([JSON.stringify(chosen)]);
		const before = state.workflows[name];
		const existing = before && (await find(rest, before.id));
		const isEdited = existing && before?.versionId && existing.versionId !== before.versionId;
		const isSame = before?.fingerprint === wanted;
		const isKept = existing && (isSame || isEdited);
		if (isEdited && !isSame) {
			const advice = 'To get the new one, archive it in n8n and start the demo again.';
			onWarning?.(
				new Problem(`The example "${name}" has changed, but you edited it: it is kept. ${advice}`),
			);
		}
		const saved = isKept ? existing : await putWorkflow(rest, chosen, existing?.id);
		if (!isKept) {
			const { id, versionId } = saved;
			state.workflows[name] = { id, fingerprint: wanted, versionId };
		}
		const isIncomplete = chosen.nodes.some((node) => !node.credentials && needing.has(node.type));
		if (isIncomplete || (isKept && existing.active)) continue;
		await activate(rest, saved).catch((error) => {
			if (!isKept || !onWarning) throw error;
			onWarning(new Problem(`n8n cannot publish the edited example "${name}": ${error.message}`));
		});
	}
	return state.workflows;
}

/** @returns names of the node types that always need a credential */
async function typesWithCredential(rest: Rest): Promise<Set<string>> {
	const types = (await nodeTypes(rest)).filter(({ credentials = [] }) =>
		credentials.some(({ required, displayOptions }) => required && !displayOptions),
	);
	return new Set(types.map(({ name }) => name));
}

async function find(rest: Rest, id: string) {
	try {
		const workflow = await rest.call('GET', `/workflows/${id}`);
		return workflow.isArchived ? undefined : workflow;
	} catch (error) {
		if (error instanceof RestError && [403, 404].includes(error.status)) return undefined;
		throw error;
	}
}
