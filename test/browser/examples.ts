/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.resolve(__dirname, '../../examples');

interface Node {
	name: string;
	type: string;
	parameters: { path?: string; authentication?: string; content?: string };
}

/** An example of this repository, as its file has it. */
export interface Example {
	/** Its file's name without `.json`. */
	name: string;
	file: string;
	nodes: Node[];
	connections: Record<string, { main?: Array<Array<{ node: string }> | null> }>;
}

export const examples = readdirSync(FOLDER)
	.filter((name) => name.endsWith('.json'))
	.map((name) => {
		const file = path.join(FOLDER, name);
		const workflow = JSON.parse(readFileSync(file, 'utf8')) as Pick<
			Example,
			'nodes' | 'connections'
		>;
		return { ...workflow, name: path.parse(name).name, file } as Example;
	});

export const isNote = ({ type }: Node): boolean => type.endsWith('.stickyNote');
export const isOwn = ({ type }: Node): boolean => type.startsWith('n8n-nodes-voice-speech.');
/** What is read first in a note. */
export const titleOf = ({ parameters }: Node): string =>
	parameters
		.content!.split('\n')[0]!
		.replace(/^#+ |\*\*/g, '')
		.replaceAll("'", '’');

/** The nodes that a workflow begins with. */
export function triggersOf({ nodes, connections }: Example): Node[] {
	const later = Object.values(connections)
		.flatMap(({ main = [] }) => main.flatMap((targets) => targets ?? []))
		.map(({ node }) => node);
	return nodes.filter(({ name }) => connections[name]?.main && !later.includes(name));
}

/** Addresses of the webhooks that need no login, below n8n's own address of tests. */
export function webhooksOf({ nodes }: Example): string[] {
	return nodes
		.filter(({ type, parameters }) => type.endsWith('.webhook') && !parameters.authentication)
		.map(({ parameters }) => parameters.path!);
}

/** Triggers that a test can start: those of outside systems need their logins. */
const STARTABLE = [
	'formTrigger',
	'webhook',
	'scheduleTrigger',
	'localFileTrigger',
	'manualTrigger',
];

/** The node after the first trigger that a test can start; undefined where n8n opens a chat instead. */
export function firstStep(example: Example): string | undefined {
	const triggers = triggersOf(example);
	if (triggers.some(({ type }) => type.endsWith('.chatTrigger'))) return undefined;
	const trigger = triggers.find(
		({ type, parameters }) =>
			STARTABLE.includes(type.split('.').at(-1)!) && !parameters.authentication,
	);
	return trigger && example.connections[trigger.name]?.main?.[0]?.[0]?.node;
}
