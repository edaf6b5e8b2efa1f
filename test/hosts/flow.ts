import type { Workflow } from '../full/tools';

/** A saved credential. */
export interface Reference {
	id: string;
	name: string;
}

/** A node of a workflow, as far as a test sets it. */
export interface FlowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials?: Record<string, Reference>;
	onError?: 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	webhookId?: string;
}

/** A workflow in one line: what brings the items, and the nodes behind it. */
export interface Flow {
	/** The items' fields; or the files to read; or a trigger of one's own. */
	from: { items: object[] } | { files: string } | { trigger: FlowNode };
	nodes: FlowNode[];
	/** What hangs below the first of them: an agent's model and tools. */
	attached?: Array<{ as: 'ai_languageModel' | 'ai_tool'; node: FlowNode }>;
	settings?: object;
}

export const ownType = 'n8n-nodes-voice-speech.voiceSpeech';

/** What n8n makes of it for its agents. */
export const ownTool = `${ownType}Tool`;

/** Our node. */
export function voice(
	parameters: Record<string, unknown>,
	settings: Partial<FlowNode> = {},
): FlowNode {
	return { name: 'Voice', type: ownType, typeVersion: 1, parameters, ...settings };
}

export const speak = { resource: 'speech', operation: 'textToSpeech', voiceId: 'vc_1' };
export const transcribe = { resource: 'speech', operation: 'speechToText' };
export const sentiment = {
	resource: 'language',
	operation: 'analyzeSentiment',
	inputType: 'text',
	text: '={{ $json.text }}',
};

const start: FlowNode = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	parameters: {},
};

function sourceOf(from: Flow['from']): FlowNode[] {
	if ('trigger' in from) return [from.trigger];
	if ('files' in from) {
		const parameters = { operation: 'read', fileSelector: from.files, options: {} };
		const type = 'n8n-nodes-base.readWriteFile';
		return [start, { name: 'Read', type, typeVersion: 1, parameters }];
	}
	return [
		start,
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				mode: 'raw',
				jsonOutput: JSON.stringify({ list: from.items }),
				options: {},
			},
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'list', options: {} },
		},
	];
}

/** The workflow as n8n takes it: its nodes in a row, ours with the credential. */
export function nodesOf(flow: Flow, credential: Reference): Workflow {
	const { from, nodes, attached = [], settings } = flow;
	const row = [...sourceOf(from), ...nodes];
	const link = (type: string, source: string, target: string) => [
		source,
		{ [type]: [[{ node: target, type, index: 0 }]] },
	];
	const links = [
		...row.slice(1).map(({ name }, index) => link('main', row[index]!.name, name)),
		...attached.map(({ as, node }) => link(as, node.name, nodes[0]!.name)),
	];
	const isOwn = ({ type }: FlowNode) => type === ownType || type === ownTool;
	return {
		name: expect.getState().currentTestName ?? 'Test',
		nodes: [...row, ...attached.map(({ node }) => node)].map((node, index) => ({
			id: `node-${index}`,
			position: [index * 208, 0],
			...(isOwn(node) ? { credentials: { voiceSpeechApi: credential } } : {}),
			...node,
		})),
		connections: Object.fromEntries(links) as Record<string, unknown>,
		settings: { executionOrder: 'v1', ...settings },
	};
}
