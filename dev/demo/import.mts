import type { INodeCredentialDescription, INodeTypeDescription } from 'n8n-workflow';

import { readNodeTypes, type Rest } from '../n8n/rest.mts';
import { activateWorkflow, putWorkflow, type WorkflowNode } from '../n8n/workflows.mts';
import { readExamples, applyChoices, isTrigger, type Choices } from './examples.mts';
import type { DemoState } from './state.mts';

/**
 * Imports the examples that are not in n8n yet. Publishes those that lack no credential and do not only start by hand,
 * because n8n refuses the others.
 *
 * @param imported what was imported before
 * @param names of those to import; all by default
 * @returns this and what has been imported now
 */
export async function importExamples(
	rest: Rest,
	choices: Choices,
	imported: DemoState['workflows'],
	names?: string[],
): Promise<DemoState['workflows']> {
	const workflows = { ...imported };
	for (const { name, workflow } of await readExamples()) {
		if (workflows[name] || names?.includes(name) === false) continue;
		const chosen = applyChoices(workflow, choices);
		const saved = await putWorkflow(rest, chosen);
		workflows[name] = { id: saved.id };
		if (!chosen.nodes.some(startsByItself)) continue;
		const bare = chosen.nodes.filter(({ credentials }) => !credentials);
		const types = await readNodeTypes(rest, bare);
		if (!bare.some((node, index) => lacksCredential(node, types[index]!))) {
			await activateWorkflow(rest, saved);
		}
	}
	return workflows;
}

/** Whether it is a trigger that starts published workflows. */
const startsByItself = ({ type }: WorkflowNode): boolean =>
	isTrigger(type) && !type.endsWith('.manualTrigger');

/** Whether a node without a credential needs one, always or with the chosen authentication. */
function lacksCredential(
	node: WorkflowNode,
	{ properties, credentials = [] }: INodeTypeDescription,
): boolean {
	const { default: usual } = properties.find(({ name }) => name === 'authentication') ?? {};
	const chosen = node.parameters.authentication ?? usual;
	const isShown = ({ displayOptions }: INodeCredentialDescription) =>
		!displayOptions || displayOptions.show?.authentication?.includes(chosen as string);
	return credentials.some((credential) => credential.required && isShown(credential));
}
