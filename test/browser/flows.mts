import { putCredential, signIn, type CredentialReference } from '../../dev/n8n/rest.mts';
import { putWorkflow } from '../../dev/n8n/workflows.mts';
import { toWorkflow, type Flow } from '../support/flow.mts';
import { Canvas } from './canvas.mts';
import { demo } from './runningDemo.mts';
import type { Tab } from './tab.mts';

/** Saves a credential in n8n, or replaces the one of this name. */
export async function saveCredential(
	name: string,
	data: Record<string, string>,
): Promise<CredentialReference> {
	const rest = await signIn(demo.url, demo.login);
	return await putCredential(rest, { name, type: 'voiceSpeechApi', data });
}

/**
 * Saves a workflow in n8n and opens it in the editor, which is faster than to build it there with the mouse.
 *
 * @param credential of our nodes
 */
export async function openFlow(
	tab: Tab,
	flow: Flow,
	credential: CredentialReference,
): Promise<void> {
	const rest = await signIn(demo.url, demo.login);
	const { id } = await putWorkflow(rest, toWorkflow(flow, credential));
	await tab.openWorkflow(id);
}

/** Opens such a workflow and the panel of our node in it, and executes the node. */
export async function executeFlow(
	tab: Tab,
	flow: Flow,
	credential: CredentialReference,
): Promise<void> {
	await openFlow(tab, flow, credential);
	await new Canvas(tab).node('Voice').dblclick();
	await findExecuteButton(tab).click();
}

/** The button in the panel of a node. */
export const findExecuteButton = (tab: Tab) =>
	tab.dialog.getByRole('button', { name: 'Execute step' }).first();
