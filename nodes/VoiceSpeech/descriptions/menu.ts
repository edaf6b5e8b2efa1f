import type { INodeProperties, INodePropertyOptions, INodePropertyRouting } from 'n8n-workflow';

import { allowedEnvironment } from './allowedEnvironment';
import { extraFields } from './fields';
import type { Operation } from './operation';
import { createOptions } from './options';

interface Resource extends INodePropertyOptions {
	value: Operation['resource'];
	/** It never changes after a release, because n8n does not save defaults in workflows. */
	defaultOperation: string;
}

/** In the order in which people need them. */
const resources: Resource[] = [
	{
		name: 'Speech',
		value: 'speech',
		description: 'Convert speech to text, and text to speech',
		defaultOperation: 'speechToText',
	},
	{
		name: 'Voice',
		value: 'voice',
		description: 'Clone voices for Text to Speech',
		defaultOperation: 'clone',
	},
	{
		name: 'Language',
		value: 'language',
		description: 'Detect language, analyze sentiment, recognize intent',
		defaultOperation: 'analyzeSentiment',
	},
	{
		name: 'Call',
		value: 'call',
		description: 'Post-call analytics, answering machine detection',
		defaultOperation: 'analyzeCall',
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
		for (const field of [...operation.fields, extraFields, createOptions(operation.endpoint)]) {
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
		// n8n-workflow's updateDisplayOptions is not used, because its deep merge slows down loading (dev/bench/README.md).
		const show = { ...field.displayOptions?.show, resource, operation };
		return { ...field, displayOptions: { ...field.displayOptions, show } };
	});
}

/**
 * All parameters that the operations need: menus and panels, with the routing of 'Resource', which applies to each
 * request.
 */
export function createProperties(
	operations: Operation[],
	resourceRouting: INodePropertyRouting,
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
				.map((operation) => ({
					name: operation.name,
					value: operation.operation,
					action: operation.action,
					description: operation.description,
					routing: { request: { method: 'POST' as const, url: operation.endpoint.path } },
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
			routing: resourceRouting,
		},
		...operationMenus,
		allowedEnvironment,
		...mergeFields(operations),
	];
}

/** @returns an expression for the line under the node's name: the name of the operation */
export function createSubtitle(operations: Operation[]): string {
	const names = operations.map(({ operation, name }) => [operation, name]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["operation"]] }}`;
}
