import { putCredential } from '../../../hosts/rest.mjs';
import { activate, putWorkflow } from '../../../hosts/workflows.mjs';

/** @typedef {import('../../../hosts/rest.mjs').Rest} Rest */

/**
 * Publishes the workflow under load: a form takes a recording, which is transcribed; its text is spoken.
 * @param {Rest} rest
 * @param {{baseUrl: string, apiKey: string}} service
 * @param {string} webhookUrl address of the process that serves forms
 * @returns {Promise<{id: string, formUrl: string, credential: {id: string, name: string}}>}
 */
export async function publishWorkflow(rest, service, webhookUrl) {
	const credential = await putCredential(rest, {
		name: 'Voice and Speech (emulator)',
		type: 'voiceSpeechApi',
		data: { apiKey: service.apiKey, environment: 'sandbox', baseUrl: service.baseUrl },
	});
	const saved = await putWorkflow(rest, workflow(credential));
	await activate(rest, saved);
	return { id: saved.id, formUrl: `${webhookUrl}/form/queue`, credential };
}

/** @param {{id: string, name: string}} credential */
function workflow(credential) {
	const credentials = { voiceSpeechApi: credential };
	const voiceSpeech = (
		/** @type {string} */ id,
		/** @type {string} */ name,
		/** @type {object} */ parameters,
	) => ({
		id,
		name,
		type: 'n8n-nodes-voice-speech.voiceSpeech',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'speech', ...parameters },
		credentials,
	});
	const nodes = [
		{
			id: 'form',
			name: 'Form',
			type: 'n8n-nodes-base.formTrigger',
			typeVersion: 2.6,
			position: [0, 0],
			webhookId: 'queue',
			parameters: {
				formTitle: 'Queue',
				formFields: {
					values: [
						{
							fieldLabel: 'Recording',
							fieldType: 'file',
							multipleFiles: false,
							requiredField: true,
						},
					],
				},
				options: { path: 'queue' },
			},
		},
		voiceSpeech('transcribe', 'Transcribe', {
			operation: 'speechToText',
			binaryPropertyName: 'Recording',
		}),
		voiceSpeech('speak', 'Speak', {
			operation: 'textToSpeech',
			text: '={{ $json.text }}',
			voiceId: 'vc_queue',
		}),
	];
	const connections = {
		Form: { main: [[{ node: 'Transcribe', type: 'main', index: 0 }]] },
		Transcribe: { main: [[{ node: 'Speak', type: 'main', index: 0 }]] },
	};
	const settings = { executionOrder: 'v1' };
	return { name: 'Queue', nodes, connections, settings };
}
