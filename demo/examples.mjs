import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('../hosts/workflows.mjs').Workflow} Workflow */

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'examples');

/** The node, and what n8n makes of it for its agents. */
const ownTypes = ['n8n-nodes-voice-speech.voiceSpeech', 'n8n-nodes-voice-speech.voiceSpeechTool'];

/** The folder that the examples name: the one that n8n's own container lets nodes use. */
const folderInExamples = '/home/node/.n8n-files';

/**
 * @returns {Promise<{name: string, workflow: Workflow}[]>} every example, by its file's name without `.json`
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
 * Does what the notes in the examples ask their reader to do: chooses the credential and the folder.
 * @param {Workflow} workflow
 * @param {object} choice
 * @param {{id: string, name: string}} choice.credential
 * @param {string} choice.files the folder that n8n may read and write
 * @returns {Workflow}
 */
export function withChoices(workflow, { credential, files }) {
	const own = files.replaceAll('\\', '/');
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => ({
			...node,
			parameters: replaceIn(node.parameters, own),
			...(ownTypes.includes(node.type) ? { credentials: { voiceSpeechApi: credential } } : {}),
		})),
	};
}

/**
 * @template T
 * @param {T} parameters
 * @param {string} own
 * @returns {T}
 */
function replaceIn(parameters, own) {
	const text = JSON.stringify(parameters);
	return JSON.parse(text.replaceAll(folderInExamples, JSON.stringify(own).slice(1, -1)));
}
