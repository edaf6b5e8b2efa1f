// The nodes of the workflows that are measured, as n8n saves them.

type Credential = { id: string; name: string };

export interface Node {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, any>;
	credentials?: Record<string, Credential>;
}

/** what nodes need for calls */
export type Access = { url: string; credentials: { voice: Credential; header: Credential } };

/** Simultaneous calls, where there are several items. */
export const concurrency = 20;

/** Name of the node that is measured. */
export const measured = 'Measured';

/** A node of n8n's own. */
const baseNode = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, any> = {},
): Node => ({
	...{ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
});

/** @param path of a file, or a pattern of several */
export const readFiles = (path: string) =>
	baseNode('Read', 'readWriteFile', 1.1, { operation: 'read', fileSelector: path, options: {} });

/** @returns the nodes that make items with a short text each */
export const textItems = (count: number): Node[] => [
	baseNode('Texts', 'set', 3.4, {
		mode: 'raw',
		jsonOutput: `={{ { texts: Array.from({ length: ${count} }, (_, index) => ({ text: 'Sentence number ' + index })) } }}`,
	}),
	baseNode('Items', 'splitOut', 1, { fieldToSplitOut: 'texts', options: {} }),
];

/** @returns this package's node */
export const voiceAndSpeech = ({ credentials }: Access, parameters: Record<string, any>): Node => ({
	...{ name: measured, type: 'n8n-nodes-voice-speech.voiceSpeech', typeVersion: 1 },
	parameters: { resource: 'speech', ...parameters },
	credentials: { voiceSpeechApi: credentials.voice },
});

/**
 * @param more parameters
 * @returns text to speech
 */
export const textToSpeech = (access: Access, more?: Record<string, any>): Node =>
	voiceAndSpeech(access, {
		...{ operation: 'textToSpeech', text: '={{ $json.text }}', voiceId: 'voice' },
		...more,
	});

/**
 * The minimal node in minimal/, which makes 20 simultaneous calls.
 * @param parameters default: sends the item's text, expects JSON
 */
export const minimalNode = (
	{ url, credentials }: Access,
	path: string,
	parameters?: { input?: 'file'; output?: 'audio' },
): Node => ({
	...{ name: measured, type: 'CUSTOM.minimal', typeVersion: 1 },
	parameters: { url: `${url}${path}`, text: '={{ $json.text }}', ...parameters },
	credentials: { voiceSpeechApi: credentials.voice },
});

/** n8n's HTTP Request node, set up for the same call as its user does it. */
export const httpRequest = (
	{ url, credentials }: Access,
	path: string,
	body: Record<string, any>,
	options: Record<string, any> = {},
): Node => ({
	...baseNode(measured, 'httpRequest', 4.4, {
		...{ method: 'POST', url: `${url}${path}`, sendBody: true, ...body, options },
		...{ authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
	}),
	credentials: { httpHeaderAuth: credentials.header },
});

/** A file of the item as a part of an HTTP Request node's body. */
export const filePart = {
	contentType: 'multipart-form-data',
	bodyParameters: {
		parameters: [{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' }],
	},
};

/** A text of the item as an HTTP Request node's body. */
export const textBody = {
	specifyBody: 'json',
	jsonBody: "={{ JSON.stringify({ text: $json.text, voice_id: 'voice' }) }}",
};

/** The option of an HTTP Request node that stores the response as a file. */
export const asFile = { response: { response: { responseFormat: 'file' } } };

/** The option of an HTTP Request node that limits simultaneous calls, with the shortest pause that it has. */
export const batches = { batching: { batch: { batchSize: concurrency, batchInterval: 1 } } };

/**
 * @param steps the last one is measured
 * @param pauseSeconds before the measured node, in which n8n frees what the nodes before it left
 */
export function workflowOf(steps: Node[], pauseSeconds: number) {
	const all = [
		baseNode('Start', 'manualTrigger', 1),
		...steps.slice(0, -1),
		baseNode('Pause', 'wait', 1.1, { amount: pauseSeconds, unit: 'seconds' }),
		...steps.slice(-1),
	];
	const nodes = all.map((node, index) => ({ ...node, id: node.name, position: [index * 200, 0] }));
	const links = nodes
		.slice(1)
		.map(({ name: next }, index) => [
			nodes[index]?.name,
			{ main: [[{ node: next, type: 'main', index: 0 }]] },
		]);
	return { name: 'Bench', nodes, connections: Object.fromEntries(links) };
}
