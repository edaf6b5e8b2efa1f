import type { INode } from 'n8n-workflow';

import type { CredentialReference, Rest } from '../../dev/n8n/rest.mts';
import {
	activateWorkflow,
	putWorkflow,
	runWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../../dev/n8n/workflows.mts';

/** A node of a workflow, as far as a test sets it. */
export type FlowNode = WorkflowNode & Partial<Omit<INode, keyof WorkflowNode>>;

/** A linear workflow: a source of items, then nodes. */
export interface Flow {
	/** The fields of the items, the files to read, or another trigger. */
	from: { items: object[] } | { files: string } | { trigger: FlowNode };
	nodes: FlowNode[];
	/** Sub-nodes of the first node: an agent's model and tools. */
	attached?: Array<{ as: 'ai_languageModel' | 'ai_tool'; node: FlowNode }>;
	/** The node behind the error output of the first node. */
	failed?: FlowNode;
	settings?: object;
}

export const ownType = 'n8n-nodes-voice-speech.voiceSpeech';

/** Its type as an agent's tool. */
export const ownTool = `${ownType}Tool`;

type Parameters = FlowNode['parameters'];

export function createNode(
	name: string,
	type: string,
	typeVersion: number,
	parameters: Parameters,
) {
	return { name, type, typeVersion, parameters };
}

/** Our node. */
export function createVoiceNode(
	parameters: Parameters,
	settings: Partial<FlowNode> = {},
): FlowNode {
	return { ...createNode('Voice', ownType, 1, parameters), ...settings };
}

const start = createNode('Start', 'n8n-nodes-base.manualTrigger', 1, {});

function createSourceNodes(from: Flow['from']): FlowNode[] {
	if ('trigger' in from) return [from.trigger];
	if ('files' in from) {
		const parameters = { operation: 'read', fileSelector: from.files, options: {} };
		return [start, createNode('Read', 'n8n-nodes-base.readWriteFile', 1, parameters)];
	}
	const jsonOutput = JSON.stringify({ list: from.items });
	return [
		start,
		createNode('List', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
		createNode('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'list', options: {} }),
	];
}

/** Creates the workflow in n8n's format, with the nodes in a row. Our node has the credential. */
export function toWorkflow(flow: Flow, credential: CredentialReference): Workflow {
	const { from, nodes, attached = [], failed, settings } = flow;
	const row = [...createSourceNodes(from), ...nodes];
	const all = [...row, ...attached.map(({ node }) => node), ...(failed ? [failed] : [])];
	const [first] = nodes as [FlowNode];
	const connections: Record<string, Record<string, object[][]>> = {};
	const connect = (type: string, source: FlowNode, target: FlowNode) => {
		const outputs = connections[source.name]?.[type] ?? [];
		const links = [{ node: target.name, type, index: 0 }];
		connections[source.name] = { [type]: [...outputs, links] };
	};
	for (const [index, target] of row.slice(1).entries()) connect('main', row[index]!, target);
	if (failed) connect('main', first, failed);
	for (const { as, node } of attached) connect(as, node, first);
	const isOwn = ({ type }: FlowNode) => type === ownType || type === ownTool;
	return {
		// n8n accepts 128 characters.
		name: (expect.getState().currentTestName ?? 'Test').slice(0, 128),
		nodes: all.map((one, index) => ({
			id: `node-${index}`,
			position: [index * 208, 0],
			...(isOwn(one) ? { credentials: { voiceSpeechApi: credential } } : {}),
			...one,
		})),
		connections,
		settings: { executionOrder: 'v1', ...settings },
	};
}

/** Saves a workflow and publishes it; returns its ID. */
export async function publishFlow(
	rest: Rest,
	flow: Flow,
	credential: CredentialReference,
): Promise<string> {
	const saved = await putWorkflow(rest, toWorkflow(flow, credential));
	await activateWorkflow(rest, saved);
	return saved.id;
}

/** Saves a workflow and starts it as the editor's button does; returns the ID of the execution. */
export async function startFlow(
	rest: Rest,
	flow: Flow,
	credential: CredentialReference,
): Promise<string> {
	const workflow = toWorkflow(flow, credential);
	return await runWorkflow(rest, { ...workflow, ...(await putWorkflow(rest, workflow)) }, 'Start');
}
