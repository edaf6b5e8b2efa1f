import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../n8n/workflows.mjs').Workflow} Workflow */

const folder = join(dirname(fileURLToPath(import.meta.url)), '../..', 'examples');

/** The node, and the variant that n8n derives from it for agents. */
const ownTypes = ['n8n-nodes-voice-speech.voiceSpeech', 'n8n-nodes-voice-speech.voiceSpeechTool'];

/** The folder in the examples: n8n's own container lets nodes use it. */
const folderInExamples = '/home/node/.n8n-files';

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
 * Chooses the credential and the folder, as the notes in the examples ask their reader to do.
 * @param {Workflow} workflow
 * @param {object} choice
 * @param {{id: string, name: string}} choice.credential
 * @param {string} choice.files the folder that n8n may read and write
 * @returns {Workflow}
 */
export function withChoices(workflow, { credential, files }) {
	const ownFolder = JSON.stringify(files.replaceAll('\\', '/')).slice(1, -1);
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => ({
			...node,
			parameters: JSON.parse(
				JSON.stringify(node.parameters).replaceAll(folderInExamples, ownFolder),
			),
			...(ownTypes.includes(node.type) ? { credentials: { voiceSpeechApi: credential } } : {}),
		})),
	};
}
