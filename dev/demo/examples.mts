import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../lib/root.cjs';
import type { Workflow } from '../n8n/workflows.mts';

/** a credential, as nodes name it */
type Reference = { id: string; name: string };

/** What the notes in the examples ask their reader to choose. */
export interface Choices {
	credential: Reference;
	/** the folder that n8n may read and write */
	files: string;
	/** the credential of a language model */
	model?: Reference;
	/** address of the mock server for other systems */
	outside?: string;
	/** values for the nodes "Settings", by their names */
	settings?: Record<string, string>;
}

const folder = join(root, 'examples');

const ownType = 'n8n-nodes-voice-speech.voiceSpeech';

/** The folder in the examples: n8n's own container lets nodes use it. */
const folderInExamples = '/home/node/.n8n-files';

/** Addresses in the examples: the first part of the host names the system. */
const systemInExamples = /https:\/\/([\w-]+)\.example\.com/g;

/** @returns every example; `name` is its file's name without `.json` */
export async function readExamples(): Promise<{ name: string; workflow: Workflow }[]> {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => ({
			name: file.slice(0, -'.json'.length),
			workflow: JSON.parse(await readFile(join(folder, file), 'utf8')),
		})),
	);
}

/** Chooses credentials, folder, addresses and settings, as the notes in the examples ask their reader to do. */
export function withChoices(workflow: Workflow, choices: Choices): Workflow {
	return { ...workflow, nodes: workflow.nodes.map((node) => chooseIn(node, choices)) };
}

function chooseIn(
	node: Workflow['nodes'][number],
	{ credential, files, model, outside, settings = {} }: Choices,
) {
	const ownFolder = JSON.stringify(files.replaceAll('\\', '/')).slice(1, -1);
	const text = JSON.stringify(node.parameters).replaceAll(folderInExamples, ownFolder);
	const parameters = JSON.parse(
		outside ? text.replaceAll(systemInExamples, (_, system) => `${outside}/${system}`) : text,
	);
	for (const setting of node.name === 'Settings' ? parameters.assignments.assignments : []) {
		setting.value = settings[setting.name] ?? setting.value;
	}
	const credentials: Record<string, Record<string, Reference> | undefined> = {
		[ownType]: { voiceSpeechApi: credential },
		// The variant that n8n derives from it for agents.
		[`${ownType}Tool`]: { voiceSpeechApi: credential },
		'@n8n/n8n-nodes-langchain.lmChatOpenAi': model && { openAiApi: model },
	};
	const chosen = credentials[node.type];
	return { ...node, parameters, ...(chosen ? { credentials: chosen } : {}) };
}
