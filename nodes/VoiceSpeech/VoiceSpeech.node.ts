import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { allowedEnvironment, getAllowedEnvironments } from './descriptions/allowedEnvironment';
import { nodeProperties, subtitleOf } from './descriptions/menu';
import { route } from './n8n/paginationHook';
import * as documented from './resources';
import { undocumented } from './resources/undocumented';

const operations = [...undocumented, ...Object.values(documented)];

/** The node as n8n loads it. */
export class VoiceSpeech implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice and Speech',
		name: 'voiceSpeech',
		icon: {
			light: 'file:../../icons/voiceSpeech.svg',
			dark: 'file:../../icons/voiceSpeech.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Convert speech to text and text to speech, clone voices, and analyze language, sentiment, intent and calls',
		defaults: { name: 'Voice and Speech' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceSpeechApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		// First, below the credential, because it shows which wallet the credential debits.
		properties: [allowedEnvironment, ...nodeProperties(operations, route)],
	};

	methods = { loadOptions: { getAllowedEnvironments } };
}
