// The nodes of the workflows that are measured, as n8n saves them.
import type { CredentialReference } from '../n8n/rest.mts';
import type { Workflow, WorkflowNode } from '../n8n/workflows.mts';
import { makeRecordings, type Load } from './recordings.mts';

/** The recordings that items may have. They become text, perhaps after a conversion, and long ones are split. */
export const extensions = {
	recordings: 'wav',
	opus: 'opus',
	'long opus': 'opus',
	film: 'mov',
} as const;

/** What each item has: a recording, or a text that becomes speech. */
export type Input = keyof typeof extensions | 'texts';

type Node = WorkflowNode & { typeVersion: number };
type Parameters = Node['parameters'];

/** What the measured nodes need for their calls. */
export interface Access {
	/** Base URL of the service. */
	url: string;
	/** The key for this package's node. */
	voice: CredentialReference;
	/** The same key for n8n's HTTP Request node. */
	header: CredentialReference;
}

export const measuredName = 'Measured';

/** Simultaneous calls, if there are several items. */
export const concurrency = 20;

/** Longest part of a recording that is split. */
export const partMinutes = 10;

/** The nodes that are compared, as the results name them. */
const measuredNodes = {
	'this node': createVoiceSpeech,
	'HTTP Request node': createHttpRequest,
	// With redirects, n8n's client keeps the body in memory, because it may have to send it again.
	'HTTP Request node, redirects off': (input: Input, access: Access) =>
		createHttpRequest(input, access, { redirect: { redirect: { followRedirects: false } } }),
	'minimal node': createMinimal,
};

export type MeasuredNode = keyof typeof measuredNodes;

/** @returns a node of n8n's own */
function createNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters = {},
): Node {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

/**
 * @param folder where all recordings are
 * @returns the nodes that make the items
 */
async function createInputs(input: Input, load: Load, folder: string): Promise<Node[]> {
	if (input !== 'texts') {
		const extension = extensions[input];
		const fileSelector = `${await makeRecordings(folder, load, extension)}/*.${extension}`;
		const parameters = { operation: 'read', fileSelector, options: {} };
		return [createNode('Read', 'readWriteFile', 1.1, parameters)];
	}
	const jsonOutput = `={{ { texts: Array.from({ length: ${load.count} }, (_, index) => ({ text: 'Sentence number ' + index })) } }}`;
	return [
		createNode('Texts', 'set', 3.4, { mode: 'raw', jsonOutput }),
		createNode('Items', 'splitOut', 1, { fieldToSplitOut: 'texts', options: {} }),
	];
}

/** @returns this package's node */
function createVoiceSpeech(input: Input, { voice }: Access): Node {
	const speechToText = { resource: 'speech', operation: 'speechToText', options: { concurrency } };
	const split = { resource: 'recording', operation: 'split', partMinutes };
	const operations: Record<Input, Parameters> = {
		recordings: speechToText,
		opus: speechToText,
		'long opus': split,
		film: split,
		texts: {
			...speechToText,
			operation: 'textToSpeech',
			text: '={{ $json.text }}',
			voiceId: 'voice',
		},
	};
	return {
		name: measuredName,
		type: 'n8n-nodes-voice-speech.voiceSpeech',
		typeVersion: 1,
		parameters: operations[input],
		credentials: { voiceSpeechApi: voice },
	};
}

/** @returns the minimal node in minimal/, which makes 20 simultaneous calls */
function createMinimal(_input: Input, { url, voice }: Access): Node {
	return {
		name: measuredName,
		type: 'CUSTOM.minimal',
		typeVersion: 1,
		parameters: { url, text: '={{ $json.text }}' },
		credentials: { voiceSpeechApi: voice },
	};
}

/** @returns n8n's HTTP Request node, with simultaneous calls and the shortest pause that it can make between them */
function createHttpRequest(
	input: Input,
	{ url, header }: Access,
	moreOptions: Parameters = {},
): Node {
	const file = { parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' };
	const upload = {
		url: `${url}/ai/speech-to-text`,
		contentType: 'multipart-form-data',
		bodyParameters: { parameters: [file] },
	};
	const textToSpeech = {
		url: `${url}/ai/text-to-speech`,
		specifyBody: 'json',
		jsonBody: "={{ JSON.stringify({ text: $json.text, voice_id: 'voice' }) }}",
	};
	const responseFormat = input === 'texts' ? 'file' : 'autodetect';
	const node = createNode(measuredName, 'httpRequest', 4.4, {
		method: 'POST',
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		...(input === 'texts' ? textToSpeech : upload),
		options: {
			batching: { batch: { batchSize: concurrency, batchInterval: 1 } },
			response: { response: { responseFormat } },
			...moreOptions,
		},
	});
	return { ...node, credentials: { httpHeaderAuth: header } };
}

/** @returns a workflow with a pause before the measured node, in which n8n frees what its inputs left */
export async function createWorkflow(
	name: MeasuredNode,
	input: Input,
	load: Load,
	access: Access,
	folder: string,
): Promise<Workflow> {
	return connectNodes('Bench', [
		createNode('Start', 'manualTrigger', 1),
		...(await createInputs(input, load, folder)),
		createNode('Pause', 'wait', 1.1, { amount: 4, unit: 'seconds' }),
		measuredNodes[name](input, access),
	]);
}

/** @returns a workflow that only waits, to be canceled; n8n keeps an execution with such a short wait in memory */
export function createWaitingWorkflow(): Workflow {
	return connectNodes('Waiting', [
		createNode('Start', 'manualTrigger', 1),
		createNode('Pause', 'wait', 1.1, { amount: 60, unit: 'seconds' }),
	]);
}

/** @param steps in the order in which they run */
function connectNodes(name: string, steps: Node[]): Workflow {
	const nodes = steps.map((node) => ({ ...node, id: node.name, position: [0, 0] }));
	const connections: Record<string, unknown> = {};
	steps.slice(1).forEach((node, index) => {
		const previous = steps[index]?.name ?? '';
		connections[previous] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
	});
	return { name, nodes, connections };
}
