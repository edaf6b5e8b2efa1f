// The nodes of the workflows that are measured, as n8n keeps them.

/**
 * @typedef {object} Node
 * @property {string} name
 * @property {string} type
 * @property {number} typeVersion
 * @property {Record<string, any>} parameters
 * @property {Record<string, {id: string, name: string}>} [credentials]
 */

/**
 * What both kinds of node need to reach the server.
 * @typedef {{url: string, credentials: {voice: {id: string, name: string}, header: {id: string, name: string}}}} Reach
 */

/** Name of the node that is measured. */
export const measured = 'Measured';

/** How long n8n rests before the node that is measured, in seconds. */
const rest = 4;

/** @param {string} path of a file, or a pattern of several @returns {Node} */
export const readFiles = (path) => ({
	name: 'Read',
	type: 'n8n-nodes-base.readWriteFile',
	typeVersion: 1.1,
	parameters: { operation: 'read', fileSelector: path, options: {} },
});

/**
 * Items that each carry a short text.
 * @param {number} count
 * @returns {Node[]}
 */
export const texts = (count) => [
	{
		name: 'Texts',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			mode: 'raw',
			jsonOutput: `={{ { texts: Array.from({ length: ${count} }, (_, place) => ({ text: 'Sentence number ' + place })) } }}`,
		},
	},
	{
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'texts', options: {} },
	},
];

/**
 * This package's node.
 * @param {Reach} reach
 * @param {Record<string, any>} parameters
 * @returns {Node}
 */
export const voiceAndSpeech = ({ credentials }, parameters) => ({
	name: measured,
	type: 'n8n-nodes-voice-speech.voiceSpeech',
	typeVersion: 1,
	parameters: { resource: 'speech', ...parameters },
	credentials: { voiceSpeechApi: credentials.voice },
});

/**
 * n8n's HTTP Request node, set up for the same call as its user does it.
 * @param {Reach} reach
 * @param {string} path
 * @param {Record<string, any>} body
 * @param {Record<string, any>} [options]
 * @returns {Node}
 */
export const httpRequest = ({ url, credentials }, path, body, options = {}) => ({
	name: measured,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.4,
	parameters: {
		method: 'POST',
		url: `${url}${path}`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		...body,
		options,
	},
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

/** An HTTP Request node's way of starting at most so many calls at a time, with the shortest pause it has. */
export const batchesOf = (/** @type {number} */ batchSize) => ({
	batching: { batch: { batchSize, batchInterval: 1 } },
});

/** @param {string} name @param {Node[]} steps the last one is the one to measure */
export function workflowOf(name, steps) {
	const all = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		...steps.slice(0, -1),
		{
			name: 'Rest',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { amount: rest, unit: 'seconds' },
		},
		...steps.slice(-1),
	];
	const nodes = all.map((node, place) => ({ ...node, id: node.name, position: [place * 200, 0] }));
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name: next }, place) => [
				nodes[place]?.name,
				{ main: [[{ node: next, type: 'main', index: 0 }]] },
			]),
	);
	return { name, nodes, connections };
}
