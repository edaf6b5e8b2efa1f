import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';

export const { description } = new VoiceSpeech();

/** Names of parameters, those in collections as "options.keepInputFiles". */
function listNames(parameters: object, prefix = ''): string[] {
	return Object.entries(parameters).flatMap(([name, value]: [string, unknown]) => [
		`${prefix}${name}`,
		...(value !== null && typeof value === 'object' ? listNames(value, `${prefix}${name}.`) : []),
	]);
}

const toNode = (parameters: INodeParameters) => ({ typeVersion: 1, parameters }) as INode;

/** The parameters that n8n shows for this resource, operation and so on, with their defaults. */
export function readShownParameters(parameters: INodeParameters): INodeParameters {
	const { properties } = description;
	const node = toNode(parameters);
	return (
		NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {}
	);
}

/** Names of those parameters that the node does not have, or does not show. */
export function listUnknownParameters(parameters: INodeParameters): string[] {
	const shown = listNames(readShownParameters(parameters));
	// n8n keeps unknown options of a collection.
	const collection = description.properties.find(({ name }) => name === 'options');
	const options = (collection?.options as INodeProperties[])
		.filter((option) =>
			NodeHelpers.displayParameter({}, option, toNode(parameters), description, parameters),
		)
		.map(({ name }) => `options.${name}`);
	return listNames(parameters).filter(
		(name) => !(/^options\.[^.]+$/.test(name) ? options : shown).includes(name),
	);
}
