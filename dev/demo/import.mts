import { listNodeTypes, type Rest } from '../n8n/rest.mts';
import { activateWorkflow, putWorkflow } from '../n8n/workflows.mts';
import { readExamples, applyChoices, type Choices } from './examples.mts';
import type { DemoState } from './state.mts';

/**
 * Imports the examples that are not in n8n yet, and publishes those that lack no credential, because n8n refuses the
 * others.
 *
 * @param imported what was imported before
 * @returns this and what has been imported now
 */
export async function importExamples(
	rest: Rest,
	choices: Choices,
	imported: DemoState['workflows'],
): Promise<DemoState['workflows']> {
	const workflows = { ...imported };
	const types = (await listNodeTypes(rest)).filter(({ credentials = [] }) =>
		credentials.some(({ required, displayOptions }) => required && !displayOptions),
	);
	const typesWithCredential = new Set(types.map(({ name }) => name));
	for (const { name, workflow } of await readExamples()) {
		if (workflows[name]) continue;
		const chosen = applyChoices(workflow, choices);
		const saved = await putWorkflow(rest, chosen);
		workflows[name] = { id: saved.id };
		const lacksCredential = chosen.nodes.some(
			({ credentials, type }) => !credentials && typesWithCredential.has(type),
		);
		if (!lacksCredential) await activateWorkflow(rest, saved);
	}
	return workflows;
}
