// A minimal programmatic node, which shows what n8n itself costs for one request per item. n8n loads it from its folder
// with N8N_CUSTOM_EXTENSIONS, and reads only JavaScript. It has no retries, checks, timeouts or useful errors, and reads
// files into memory.

/** @typedef {import('n8n-workflow').IExecuteFunctions} IExecuteFunctions */
/** @typedef {import('n8n-workflow').INodeExecutionData} Item */

const credential = 'voiceSpeechApi';

exports.Minimal = class {
	description = {
		displayName: 'Minimal',
		name: 'minimal',
		group: ['transform'],
		version: 1,
		description: 'Sends one request per item',
		defaults: { name: 'Minimal' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: credential, required: true }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Text', name: 'text', type: 'string', default: '' },
		],
	};

	/** @this {IExecuteFunctions} */
	async execute() {
		const items = this.getInputData();
		/** @type {Item[]} */
		const results = [];
		let next = 0;
		const work = async () => {
			while (next < items.length) {
				const index = next++;
				const call = items[index]?.binary ? upload : speak;
				results[index] = await call(this, index);
			}
		};
		await Promise.all(Array.from({ length: 20 }, work));
		return [results];
	}
};

/**
 * Sends the item's recording.
 *
 * @param {IExecuteFunctions} node
 * @param {number} index
 * @returns {Promise<Item>}
 */
async function upload(node, index) {
	const file = await node.helpers.getBinaryDataBuffer(index, 'data');
	const body = new FormData();
	body.append('file', new File([new Uint8Array(file)], 'recording.wav', { type: 'audio/wav' }));
	const json = await node.helpers.httpRequestWithAuthentication.call(node, credential, {
		method: 'POST',
		url: `${node.getNodeParameter('url', index)}/ai/speech-to-text`,
		body: /** @type {any} */ (body),
		json: true,
	});
	return { json, pairedItem: { item: index } };
}

/**
 * Sends the item's text, and stores the speech.
 *
 * @param {IExecuteFunctions} node
 * @param {number} index
 * @returns {Promise<Item>}
 */
async function speak(node, index) {
	const speech = await node.helpers.httpRequestWithAuthentication.call(node, credential, {
		method: 'POST',
		url: `${node.getNodeParameter('url', index)}/ai/text-to-speech`,
		body: { text: node.getNodeParameter('text', index), voice_id: 'voice' },
		encoding: 'arraybuffer',
	});
	const data = await node.helpers.prepareBinaryData(Buffer.from(speech), 'speech.wav', 'audio/wav');
	return { json: {}, binary: { data }, pairedItem: { item: index } };
}
