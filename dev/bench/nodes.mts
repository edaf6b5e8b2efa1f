// The nodes of the workflows that are measured, as n8n saves them.
import type { Workflow } from '../n8n/workflows.mts';

export type Node = Workflow['nodes'][number] & { typeVersion: number };

type Parameters = Node['parameters'];

/** A saved credential. */
interface Credential {
	id: string;
	name: string;
}

/** What the measured nodes need for their calls. */
export interface Access {
	/** Base URL of the service. */
	url: string;
	/** The same key, for this package's node and for n8n's HTTP Request node. */
	credentials: { voice: Credential; header: Credential };
}

/** Name of the node that is measured. */
export const measuredName = 'Measured';

/** Simultaneous calls, if there are several items. */
export const concurrency = 20;

/** @returns a node of n8n's own */
function createNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters = {},
): Node {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

/** @returns a node that makes an item of each recording in the folder */
export const readRecordings = (folder: string): Node =>
	createNode('Read', 'readWriteFile', 1.1, {
		operation: 'read',
		fileSelector: `${folder}/*.wav`,
		options: {},
	});

/** @returns the nodes that make items with a short text each */
export const makeTexts = (count: number): Node[] => [
	createNode('Texts', 'set', 3.4, {
		mode: 'raw',
		jsonOutput: `={{ { texts: Array.from({ length: ${count} }, (_, index) => ({ text: 'Sentence number ' + index })) } }}`,
	}),
	createNode('Items', 'splitOut', 1, { fieldToSplitOut: 'texts', options: {} }),
];

/** @returns this package's node */
function voiceAndSpeech({ credentials }: Access, parameters: Parameters): Node {
	return {
		name: measuredName,
		type: 'n8n-nodes-voice-speech.voiceSpeech',
		typeVersion: 1,
		parameters: { resource: 'speech', options: { concurrency }, ...parameters },
		credentials: { voiceSpeechApi: credentials.voice },
	};
}

/** This package's node, with the recording of each item. */
export const speechToText = (access: Access): Node =>
	voiceAndSpeech(access, { operation: 'speechToText' });

/** This package's node, with the text of each item. */
export const textToSpeech = (access: Access): Node =>
	voiceAndSpeech(access, {
		operation: 'textToSpeech',
		text: '={{ $json.text }}',
		voiceId: 'voice',
	});

/** The minimal node in minimal/, which makes 20 simultaneous calls. */
export const minimal = ({ url, credentials }: Access): Node => ({
	name: measuredName,
	type: 'CUSTOM.minimal',
	typeVersion: 1,
	parameters: { url, text: '={{ $json.text }}' },
	credentials: { voiceSpeechApi: credentials.voice },
});

/** @returns n8n's HTTP Request node, with simultaneous calls and the shortest pause between them that it has */
function httpRequest(
	{ url, credentials }: Access,
	path: string,
	parameters: Parameters,
	options: Parameters = {},
): Node {
	const node = createNode(measuredName, 'httpRequest', 4.4, {
		method: 'POST',
		url: `${url}${path}`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		options: { batching: { batch: { batchSize: concurrency, batchInterval: 1 } }, ...options },
		...parameters,
	});
	return { ...node, credentials: { httpHeaderAuth: credentials.header } };
}

/** n8n's HTTP Request node, with the recording of each item. */
export const httpRequestUpload = (access: Access, options?: Parameters): Node =>
	httpRequest(
		access,
		'/ai/speech-to-text',
		{
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' }],
			},
		},
		options,
	);

/** The same without following redirects, for which n8n's client keeps the body in memory. */
export const httpRequestUploadWithoutRedirects = (access: Access): Node =>
	httpRequestUpload(access, { redirect: { redirect: { followRedirects: false } } });

/** n8n's HTTP Request node, with the text of each item. It stores the response as a file. */
export const httpRequestSpeech = (access: Access): Node =>
	httpRequest(
		access,
		'/ai/text-to-speech',
		{
			specifyBody: 'json',
			jsonBody: "={{ JSON.stringify({ text: $json.text, voice_id: 'voice' }) }}",
		},
		{ response: { response: { responseFormat: 'file' } } },
	);

/**
 * @param inputs make the items of the measured node
 * @returns a workflow with a pause before the measured node, in which n8n frees what the inputs left
 */
export function createWorkflow(inputs: Node[], measured: Node): Workflow {
	const start = createNode('Start', 'manualTrigger', 1);
	const pause = createNode('Pause', 'wait', 1.1, { amount: 4, unit: 'seconds' });
	const steps = [start, ...inputs, pause, measured];
	const nodes = steps.map((node) => ({ ...node, id: node.name, position: [0, 0] }));
	const connections: Record<string, unknown> = {};
	steps.slice(1).forEach(({ name }, index) => {
		const previous = steps[index]?.name ?? '';
		connections[previous] = { main: [[{ node: name, type: 'main', index: 0 }]] };
	});
	return { name: 'Bench', nodes, connections };
}
