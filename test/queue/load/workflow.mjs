import { putCredential } from '../../../dev/n8n/rest.mjs';
import { activate, putWorkflow } from '../../../dev/n8n/workflows.mjs';

/** @typedef {import('../../../dev/n8n/rest.mjs').Rest} Rest */

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
	const node = (
		/** @type {string} */ name,
		/** @type {string} */ type,
		/** @type {number} */ typeVersion,
		/** @type {object} */ parameters,
	) => ({ id: name, name, type, typeVersion, position: [0, 0], webhookId: 'queue', parameters });
	const voiceSpeech = (/** @type {string} */ name, /** @type {object} */ parameters) => ({
		...node(name, 'n8n-nodes-voice-speech.voiceSpeech', 1, { resource: 'speech', ...parameters }),
		credentials: { voiceSpeechApi: credential },
	});
	const field = {
		fieldLabel: 'Recording',
		fieldType: 'file',
		multipleFiles: false,
		requiredField: true,
	};
	const form = { formTitle: 'Queue', formFields: { values: [field] }, options: { path: 'queue' } };
	const nodes = [
		node('Form', 'n8n-nodes-base.formTrigger', 2.6, form),
		voiceSpeech('Transcribe', { operation: 'speechToText', binaryPropertyName: 'Recording' }),
		voiceSpeech('Speak', {
			...{ operation: 'textToSpeech', text: '={{ $json.text }}', voiceId: 'vc_queue' },
		}),
	];
	const to = (/** @type {string} */ name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const connections = { Form: to('Transcribe'), Transcribe: to('Speak') };
	return { name: 'Queue', nodes, connections, settings: { executionOrder: 'v1' } };
}
