import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { root } from '../lib/root.cjs';
import type { CredentialReference } from '../n8n/rest.mts';
import type { Workflow, WorkflowNode } from '../n8n/workflows.mts';

export interface Example {
	/** Name of the file without `.json`. */
	name: string;
	workflow: Workflow;
}

/** What the notes in the examples ask their reader to choose. */
export interface Choices {
	credential: CredentialReference;
	/** The folder that n8n may read and write. */
	files: string;
	/** The credential of a language model. */
	model?: CredentialReference;
	/** Address of the mock server for other systems; the examples' own addresses by default. */
	mockSystemsUrl?: string;
	/** Values for the nodes "Settings", by their names. */
	settings?: Record<string, string | number>;
}

const folder = path.join(root, 'examples');
const ownType = 'n8n-nodes-voice-speech.voiceSpeech';
const modelType = '@n8n/n8n-nodes-langchain.lmChatOpenAi';

/** The folder that the examples name. In n8n's own container, nodes may use it. */
const folderInExamples = '/home/node/.n8n-files';

/** Addresses in the examples. The first part of the host names the system. */
const systemInExamples = /https:\/\/([\w-]+)\.example\.com/g;

export async function readExamples(): Promise<Example[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	const readExample = async (file: string) => ({
		name: path.basename(file, '.json'),
		workflow: JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Workflow,
	});
	return await Promise.all(files.map(readExample));
}

/** Chooses credentials, folder, addresses and settings, as the notes in the examples ask their reader to do. */
export function applyChoices(workflow: Workflow, choices: Choices): Workflow {
	return { ...workflow, nodes: workflow.nodes.map((node) => applyChoicesToNode(node, choices)) };
}

function applyChoicesToNode(node: WorkflowNode, choices: Choices): WorkflowNode {
	const { credential, files, model, mockSystemsUrl, settings = {} } = choices;
	const filesInJson = JSON.stringify(files).slice(1, -1);
	let text = JSON.stringify(node.parameters).replaceAll(folderInExamples, () => filesInJson);
	if (mockSystemsUrl) text = text.replaceAll(systemInExamples, `${mockSystemsUrl}/$1`);
	const parameters = JSON.parse(text) as WorkflowNode['parameters'];
	const chosen: WorkflowNode = { ...node, parameters };
	if (node.name === 'Settings') {
		const { assignments } = chosen.parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		for (const setting of assignments) setting.value = settings[setting.name] ?? setting.value;
	}
	if (isCaller(node)) {
		chosen.credentials = { voiceSpeechApi: credential };
	}
	if (node.type === modelType && model) chosen.credentials = { openAiApi: model };
	return chosen;
}

/** Whether a workflow begins with a node of this type. */
export const isTrigger = (type: string): boolean =>
	/(Trigger|\.webhook|\.emailReadImap)$/.test(type);

/** Whether it is a node of this package that makes calls, which need a credential. */
function isCaller({ type, parameters }: WorkflowNode): boolean {
	// For agents, n8n derives a second type, whose name ends with "Tool".
	return [ownType, `${ownType}Tool`].includes(type) && parameters.resource !== 'recording';
}
