import { putCredential, type Rest } from '../../../dev/n8n/rest.mts';
import { activateWorkflow, putWorkflow } from '../../../dev/n8n/workflows.mts';

/**
 * Publishes the workflow under load. A form takes a recording, which is transcribed, and its text is spoken.
 *
 * @param webhookUrl address of the process that serves forms
 */
export async function publishWorkflow(
	rest: Rest,
	service: { baseUrl: string; apiKey: string },
	webhookUrl: string,
): Promise<{ id: string; formUrl: string; credential: { id: string; name: string } }> {
	const credential = await putCredential(rest, {
		name: 'Voice and Speech (emulator)',
		type: 'voiceSpeechApi',
		data: { apiKey: service.apiKey, environment: 'sandbox', baseUrl: service.baseUrl },
	});
	const saved = await putWorkflow(rest, createWorkflow(credential));
	await activateWorkflow(rest, saved);
	return { id: saved.id, formUrl: `${webhookUrl}/form/queue`, credential };
}

function createWorkflow(credential: { id: string; name: string }) {
	const file = { fieldLabel: 'Recording', fieldType: 'file', multipleFiles: false };
	const form = { formTitle: 'Queue', formFields: { values: [file] }, options: { path: 'queue' } };
	const voiceSpeech = {
		type: 'n8n-nodes-voice-speech.voiceSpeech',
		typeVersion: 1,
		credentials: { voiceSpeechApi: credential },
	};
	const transcribe = { operation: 'speechToText', binaryPropertyName: 'Recording' };
	const speak = { operation: 'textToSpeech', text: '={{ $json.text }}', voiceId: 'vc_queue' };
	const nodes = [
		{ name: 'Form', type: 'n8n-nodes-base.formTrigger', typeVersion: 2.6, parameters: form },
		{ name: 'Transcribe', ...voiceSpeech, parameters: { resource: 'speech', ...transcribe } },
		{ name: 'Speak', ...voiceSpeech, parameters: { resource: 'speech', ...speak } },
	];
	const linkTo = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		name: 'Queue',
		nodes: nodes.map((node) => ({ ...node, id: node.name, position: [0, 0], webhookId: 'queue' })),
		connections: { Form: linkTo('Transcribe'), Transcribe: linkTo('Speak') },
		settings: { executionOrder: 'v1' },
	};
}
