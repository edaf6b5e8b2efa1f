import { fingerprint } from '../lib/fingerprint.mts';
import { Problem } from '../lib/problem.mts';
import { nodeTypes, RestError } from '../n8n/rest.mts';
import type { Rest } from '../n8n/rest.mts';
import { activate, putWorkflow } from '../n8n/workflows.mts';
import type { SavedWorkflow, Workflow } from '../n8n/workflows.mts';
import { readExamples, withChoices } from './examples.mts';
import type { Choices } from './examples.mts';
import type { ImportedWorkflow } from './state.mts';

/** A workflow as n8n has it now. */
interface ExistingWorkflow extends SavedWorkflow {
	active: boolean;
	isArchived?: boolean;
}

/**
 * Imports the examples, and publishes those that lack no credential, because n8n refuses the others. An example that is
 * already in n8n is imported again only if it, or an address in it, has changed and the user has not edited it.
 * @param imported what was imported before, by the example's name; changed in place
 * @param onWarning called instead of throwing if an edited example cannot be published, and if one is not replaced
 * @returns `imported`
 */
export async function importExamples(
	rest: Rest,
	choices: Choices,
	imported: Record<string, ImportedWorkflow>,
	onWarning?: (problem: Problem) => void,
): Promise<Record<string, ImportedWorkflow>> {
	const needing = await findTypesWithCredential(rest);
	for (const { name, workflow } of await readExamples()) {
		const chosen = withChoices(workflow, choices);
		const wanted = fingerprint([JSON.stringify(chosen)]);
		const before = imported[name];
		const existing = before && (await findWorkflow(rest, before.id));
		const isSame = before?.fingerprint === wanted;
		const isEdited = existing && existing.versionId !== before.versionId;
		if (isEdited && !isSame)
			onWarning?.(
				new Problem(
					`The example "${name}" has changed, but you edited it: it is kept. To get the new one, archive it in n8n and start the demo again.`,
				),
			);
		const isKept = existing && (isSame || isEdited);
		if (isKept && existing.active) continue;
		const saved = isKept ? existing : await putWorkflow(rest, chosen, existing?.id);
		if (!isKept) {
			imported[name] = { id: saved.id, fingerprint: wanted, versionId: saved.versionId };
		}
		if (lacksCredential(chosen, needing)) continue;
		await activate(rest, saved).catch((error: Error) => {
			if (!isKept || !onWarning) throw error;
			onWarning(new Problem(`n8n cannot publish the edited example "${name}": ${error.message}`));
		});
	}
	return imported;
}

/** @param needing names of the node types that always need a credential */
function lacksCredential({ nodes }: Workflow, needing: Set<string>): boolean {
	return nodes.some((node) => !node.credentials && needing.has(node.type));
}

/** @returns names of the node types that always need a credential */
async function findTypesWithCredential(rest: Rest): Promise<Set<string>> {
	const types = (await nodeTypes(rest)).filter(({ credentials = [] }) =>
		credentials.some(({ required, displayOptions }) => required && !displayOptions),
	);
	return new Set(types.map(({ name }) => name));
}

/** @returns undefined if the user has deleted or archived it */
async function findWorkflow(rest: Rest, id: string): Promise<ExistingWorkflow | undefined> {
	try {
		const workflow: ExistingWorkflow = await rest.call('GET', `/workflows/${id}`);
		return workflow.isArchived ? undefined : workflow;
	} catch (error) {
		if (error instanceof RestError && [403, 404].includes(error.status)) return undefined;
		throw error;
	}
}
