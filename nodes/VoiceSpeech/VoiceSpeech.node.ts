import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { createProperties, createSubtitle } from './descriptions/menu';
import { localResource } from './descriptions/parameters';
import { createCustomOperations, createPaginationRouting } from './n8n/entryPoints';
import { operations } from './resources';

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
		subtitle: createSubtitle(operations),
		description:
			'Convert speech to text and text to speech, clone voices, split recordings, and analyze language, sentiment, intent and calls, with API keys that start with eak_test_ or eak_live_',
		defaults: { name: 'Voice and Speech' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'voiceSpeechApi',
				required: true,
				displayOptions: { hide: { resource: [localResource] } },
			},
		],
		// The node makes its requests itself. One that n8n made of this description would go nowhere: '.invalid' never
		// resolves (RFC 6761, 6.4), and the credential rejects any origin but that of its base URL.
		requestDefaults: { baseURL: 'https://voice-speech.invalid' },
		properties: createProperties(operations, createPaginationRouting(operations)),
	};

	customOperations = createCustomOperations(operations);
}
