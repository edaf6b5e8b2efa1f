import type { INodeProperties, INodePropertyOptions, INodePropertyRouting } from 'n8n-workflow';

import type { Endpoint } from '../endpoint';
import { extraFields } from './fields';
import { optionsFor } from './options';

/** An operation of the service, as the node shows and calls it. */
export interface Operation {
	resource: 'speech' | 'voice' | 'language' | 'call';
	/** Internal name. Released once, it never changes: workflows store it. */
	operation: string;
	/** Entry of the 'Operation' menu, in Title Case. */
	name: string;
	/** Entry of n8n's list of nodes, in sentence case, with the words of the name. */
	action: string;
	description: string;
	endpoint: Endpoint;
	/** The fields of its panel before 'Extra Fields' and 'Options', which every operation has. */
	fields: INodeProperties[];
}

interface Resource extends INodePropertyOptions {
	value: Operation['resource'];
	/** Never change it after a release: n8n does not save defaults in workflows. */
	defaultOperation: string;
}

const resources: Resource[] = [
	{
		name: 'Call',
		value: 'call',
		description: 'Analyze calls, detect answering machines',
		defaultOperation: 'analyzeCall',
	},
	{
		name: 'Language',
		value: 'language',
		description: 'Detect language, analyze sentiment, recognize intent',
		defaultOperation: 'analyzeSentiment',
	},
	{
		name: 'Speech',
		value: 'speech',
		description: 'Convert speech to text and text to speech, create transcriptions',
		defaultOperation: 'speechToText',
	},
	{
		name: 'Voice',
		value: 'voice',
		description: 'Clone voices for Text to Speech',
		defaultOperation: 'clone',
	},
];

/**
 * The fields of all operations, equal ones merged into one that is shown for each: n8n resolves every field of the
 * description for every item, shown or not. The order that each operation gives its fields stays.
 */
function mergeFields(operations: Operation[]): INodeProperties[] {
	const merged: Array<{ json: string; field: INodeProperties; operations: Operation[] }> = [];
	for (const operation of operations) {
		let index = 0;
		for (const field of [...operation.fields, extraFields, optionsFor(operation.endpoint)]) {
			const json = JSON.stringify(field);
			const found = merged.findIndex((other) => other.json === json);
			if (found >= 0) merged[found]?.operations.push(operation);
			else merged.splice(index, 0, { json, field, operations: [operation] });
			index = (found >= 0 ? found : index) + 1;
		}
	}
	return merged.map(({ field, operations: shownFor }) => {
		const resource = [...new Set(shownFor.map((operation) => operation.resource))];
		const operation = shownFor.map((each) => each.operation);
		// Not updateDisplayOptions of n8n-workflow: its deep merge slows down loading (dev/bench/README.md).
		const show = { ...field.displayOptions?.show, resource, operation };
		return { ...field, displayOptions: { ...field.displayOptions, show } };
	});
}

/** All parameters that the operations need: menus and panels, with the routing that `route` makes of an endpoint. */
export function nodeProperties(
	operations: Operation[],
	route: (endpoint: Endpoint) => INodePropertyRouting,
): INodeProperties[] {
	const operationMenus = resources.map(
		({ value: resource, defaultOperation }): INodeProperties => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options: operations
				.filter((operation) => operation.resource === resource)
				.sort((a, b) => (a.name < b.name ? -1 : 1))
				.map(({ operation, name, action, description, endpoint }) => ({
					...{ name, value: operation, action, description },
					routing: route(endpoint),
				})),
			default: defaultOperation,
		}),
	);
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value, description }) => ({ name, value, description })),
			default: 'speech',
		},
		...operationMenus,
		...mergeFields(operations),
	];
}

/** @returns an expression for the line under the node's name: the name of the operation */
export function subtitleOf(operations: Operation[]): string {
	const names = operations.map(({ operation, name }) => [operation, name]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["operation"]] }}`;
}
