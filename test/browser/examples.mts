import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(__dirname, '../../examples');

interface Node {
	name: string;
	type: string;
	parameters: { authentication?: string; content?: string };
	disabled?: boolean;
}

/** An example of this repository, as its file has it. */
export interface Example {
	/** Its file's name without `.json`. */
	name: string;
	file: string;
	nodes: Node[];
	connections: Record<string, { main?: Array<Array<{ node: string }> | null> }>;
}

export const examples = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.map((name): Example => {
		const file = path.join(folder, name);
		const workflow = JSON.parse(readFileSync(file, 'utf8')) as Example;
		return { ...workflow, name: path.parse(name).name, file };
	});

export const isNote = ({ type }: Node): boolean => type.endsWith('.stickyNote');
export const isOwn = ({ type }: Node): boolean => type.startsWith('n8n-nodes-voice-speech.');
/** Whether the node needs a credential that the demo does not have. n8n does not mark a deactivated one. */
export const lacksCredential = ({ type, parameters, disabled }: Node): boolean =>
	disabled !== true &&
	(/\.(emailReadImap|emailSend|googleDrive|googleDriveTrigger|googleSheets|s3|slack|telegram|telegramTrigger|whatsApp|whatsAppTrigger)$/.test(
		type,
	) ||
		['headerAuth', 'predefinedCredentialType'].includes(parameters.authentication!));
/** The first line of a note. */
export const readTitle = ({ parameters }: Node): string =>
	parameters
		.content!.split('\n')[0]!
		.replace(/^#+ |\*\*/g, '')
		.replaceAll("'", '’');
