import type { INodeCredentialDescription, INodeTypeDescription } from 'n8n-workflow';

import { listNodeTypes, type Rest } from '../n8n/rest.mts';
import { activateWorkflow, putWorkflow, type WorkflowNode } from '../n8n/workflows.mts';
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
	const types = await listNodeTypes(rest);
	for (const { name, workflow } of await readExamples()) {
		if (workflows[name]) continue;
		const chosen = applyChoices(workflow, choices);
		const saved = await putWorkflow(rest, chosen);
		workflows[name] = { id: saved.id };
		if (!chosen.nodes.some((node) => lacksCredential(node, types))) {
			await activateWorkflow(rest, saved);
		}
	}
	return workflows;
}

/** Whether the node has no credential but needs one, always or with the chosen authentication. */
function lacksCredential(node: WorkflowNode, types: INodeTypeDescription[]): boolean {
	if (node.credentials) return false;
	const versions = types.filter(({ name }) => name === node.type);
	return versions.some(({ properties, credentials = [] }) => {
		const { default: usual } = properties.find(({ name }) => name === 'authentication') ?? {};
		const chosen = node.parameters.authentication ?? usual;
		const isShown = ({ displayOptions }: INodeCredentialDescription) =>
			!displayOptions || displayOptions.show?.authentication?.includes(chosen as string);
		return credentials.some((credential) => credential.required && isShown(credential));
	});
}
