/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import {
	NodeHelpers,
	type IConnections,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type IWorkflowSettings,
} from 'n8n-workflow';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { packageJson, read, ROOT } from './repository';

export interface Example {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
	pinData?: object;
}

export const { description } = new VoiceSpeech();
const ownType = `${packageJson.name}.${description.name}`;
export const isOwn = ({ type }: INode) => type === ownType || type === `${ownType}Tool`;
export const isNote = ({ type }: INode) => type === 'n8n-nodes-base.stickyNote';

export const files = readdirSync(path.join(ROOT, 'examples')).filter((file) =>
	file.endsWith('.json'),
);
export const examples = files.map((file): [string, Example] => [
	file,
	JSON.parse(read(`examples/${file}`)) as Example,
]);

/** Parameters of a node, those in its collections included, as "options.keepInputFiles". */
export function namesIn(parameters: object, prefix = ''): string[] {
	return Object.entries(parameters).flatMap(([name, value]) =>
		value !== null && typeof value === 'object'
			? [`${prefix}${name}`, ...namesIn(value as object, `${prefix}${name}.`)]
			: [`${prefix}${name}`],
	);
}

/** What n8n shows of the node's parameters for its resource, operation and so on, defaults included. */
export function shownParameters(node: INode): INodeParameters {
	return (
		NodeHelpers.getNodeParameters(
			description.properties,
			node.parameters,
			true,
			false,
			node,
			description,
		) ?? {}
	);
}

/** The values of the node "Settings", by their names. */
export function settingsOf({ parameters }: INode): Record<string, unknown> {
	const { assignments } = parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

/** The parameters that can be left out of a collection; n8n keeps unknown ones there. */
export function optionNames(node: INode): string[] {
	const isShown = (property: INodeProperties) =>
		NodeHelpers.displayParameter(node.parameters, property, node, description);
	return description.properties
		.filter((property) => property.name === 'options' && isShown(property))
		.flatMap(({ options }) => (options ?? []).map(({ name }) => name));
}
