import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../n8n/workflows.mjs').Workflow} Workflow */
/** @typedef {{id: string, name: string}} Reference a credential, as nodes name it */

/**
 * What the notes in the examples ask their reader to choose.
 * @typedef {object} Choices
 * @property {Reference} credential
 * @property {string} files the folder that n8n may read and write
 * @property {Reference} [model] the credential of a language model
 * @property {string} [outside] address of the mock server for other systems
 * @property {Record<string, string>} [settings] values for the nodes "Settings", by their names
 */

const folder = fileURLToPath(new URL('../../examples', import.meta.url));

const ownType = 'n8n-nodes-voice-speech.voiceSpeech';

/** The folder in the examples: n8n's own container lets nodes use it. */
const folderInExamples = '/home/node/.n8n-files';

/** Addresses in the examples: the first part of the host names the system. */
const systemInExamples = /https:\/\/([\w-]+)\.example\.com/g;

/**
 * @returns {Promise<{name: string, workflow: Workflow}[]>} every example; `name` is its file's name
 *   without `.json`
 */
export async function readExamples() {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => ({
			name: file.slice(0, -'.json'.length),
			workflow: JSON.parse(await readFile(join(folder, file), 'utf8')),
		})),
	);
}

/**
 * Chooses credentials, folder, addresses and settings, as the notes in the examples ask their reader to do.
 * @param {Workflow} workflow
 * @param {Choices} choices
 * @returns {Workflow}
 */
export function withChoices(workflow, choices) {
	return { ...workflow, nodes: workflow.nodes.map((node) => chooseIn(node, choices)) };
}

/**
 * @param {Workflow['nodes'][number]} node
 * @param {Choices} choices
 */
function chooseIn(node, { credential, files, model, outside, settings = {} }) {
	const ownFolder = JSON.stringify(files.replaceAll('\\', '/')).slice(1, -1);
	const text = JSON.stringify(node.parameters).replaceAll(folderInExamples, ownFolder);
	const parameters = JSON.parse(
		outside ? text.replaceAll(systemInExamples, (_, system) => `${outside}/${system}`) : text,
	);
	for (const setting of node.name === 'Settings' ? parameters.assignments.assignments : []) {
		setting.value = settings[setting.name] ?? setting.value;
	}
	/** @type {Record<string, Record<string, Reference> | undefined>} */
	const credentials = {
		[ownType]: { voiceSpeechApi: credential },
		// The variant that n8n derives from it for agents.
		[`${ownType}Tool`]: { voiceSpeechApi: credential },
		'@n8n/n8n-nodes-langchain.lmChatOpenAi': model && { openAiApi: model },
	};
	const chosen = credentials[node.type];
	return { ...node, parameters, ...(chosen ? { credentials: chosen } : {}) };
}
