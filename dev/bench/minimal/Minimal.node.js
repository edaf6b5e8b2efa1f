// A minimal programmatic node: what n8n itself costs for one request per item. n8n loads it from its folder with
// N8N_CUSTOM_EXTENSIONS. It has no retries, checks, timeouts or useful errors, and reads files into memory.

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
		properties: ['url', 'text', 'input', 'output'].map((name) => ({
			...{ displayName: name, name, type: 'string', default: '' },
		})),
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
				results[index] = await call(this, index);
			}
		};
		await Promise.all(Array.from({ length: 20 }, work));
		return [results];
	}
};

/** @param {IExecuteFunctions} node @param {number} index @returns {Promise<Item>} */
async function call(node, index) {
	const url = String(node.getNodeParameter('url', index));
	const isAudio = node.getNodeParameter('output', index) === 'audio';
	/** @type {FormData | {text: unknown, voice_id: string}} */
	let body = { text: node.getNodeParameter('text', index), voice_id: 'voice' };
	if (node.getNodeParameter('input', index) === 'file') {
		const file = await node.helpers.getBinaryDataBuffer(index, 'data');
		body = new FormData();
		body.append('file', new File([new Uint8Array(file)], 'recording.wav', { type: 'audio/wav' }));
	}
	const response = await node.helpers.httpRequestWithAuthentication.call(node, credential, {
		...{ method: 'POST', url, body: /** @type {any} */ (body) },
		...(isAudio ? { encoding: 'arraybuffer' } : { json: true }),
	});
	const pairedItem = { item: index };
	if (!isAudio) return { json: response, pairedItem };
	const data = await node.helpers.prepareBinaryData(
		Buffer.from(response),
		'speech.wav',
		'audio/wav',
	);
	return { json: {}, binary: { data }, pairedItem };
}
