import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';

import {
	hasOption,
	isDocumentedOperation,
	isService,
	type Operation,
	type Resource,
	resources,
} from './operation';
import { type CallOptions, optionDefinitions } from './options';
import { allowedEnvironmentParameter, extraFieldsParameter } from './parameters';

function createResourceMenu(routing: INodePropertyRouting): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value, description }) => ({ name, value, description })),
		default: 'speech',
		routing,
	};
}

function createOperationMenu(
	{ value: resource, defaultOperation }: Resource,
	operations: Operation[],
): INodeProperties {
	const entries = operations.filter((operation) => operation.resource === resource);
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: entries.map((operation) => {
			const { name, value, action, description } = operation;
			const entry = { name, value, action, description };
			if (!isService(operation)) return entry;
			return {
				...entry,
				routing: { request: { method: 'POST', url: operation.endpoint.path } },
			};
		}),
		default: defaultOperation,
	};
}

/** The conditions under which n8n shows something for these operations only. */
function showOnlyFor(operations: Operation[]) {
	const names = operations.map(({ resource }) => resource);
	return {
		resource: [...new Set(names)],
		operation: operations.map(({ value }) => value),
	};
}

/**
 * The parameters of all operations. One that several operations share is one property, shown for each of them. Every panel
 * has its parameters in the order of its operation.
 */
function createParameters(operations: Operation[]): INodeProperties[] {
	const parameters: INodeProperties[] = [];
	for (const operation of operations) {
		let previousIndex = -1;
		for (const parameter of operation.parameters) {
			const isNew = !parameters.includes(parameter);
			if (isNew) parameters.splice(previousIndex + 1, 0, parameter);
			previousIndex = parameters.indexOf(parameter);
		}
	}
	return parameters.map((parameter) => {
		const owners = operations.filter((operation) => operation.parameters.includes(parameter));
		// n8n-workflow's updateDisplayOptions is not used, because its deep merge took 1.3 ms of the loading time.
		const show = { ...parameter.displayOptions?.show, ...showOnlyFor(owners) };
		return { ...parameter, displayOptions: { ...parameter.displayOptions, show } };
	});
}

/** 'Options', in which n8n offers each option only for the operations that it applies to. */
function createOptionsCollection(operations: Operation[]): INodeProperties {
	const names = Object.keys(optionDefinitions) as Array<keyof CallOptions>;
	const entries = names.map((name) => {
		const owners = operations.filter((candidate) => hasOption(candidate, name));
		const { resource, operation } = showOnlyFor(owners);
		// In a collection, a slash begins the name of a parameter outside of it.
		const show = { '/resource': resource, '/operation': operation };
		return { ...optionDefinitions[name].property, name, displayOptions: { show } };
	});
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: entries,
	};
}

/**
 * Creates all parameters of the node, which are its menus and panels.
 *
 * @param resourceRouting the routing of 'Resource', which n8n applies to every request because that menu is always shown
 */
export function createProperties(
	operations: Operation[],
	resourceRouting: INodePropertyRouting,
): INodeProperties[] {
	const documented = operations.filter(isDocumentedOperation);
	const undocumented = operations.filter((operation) => !isDocumentedOperation(operation));
	const sorted = [...documented, ...undocumented];
	return [
		createResourceMenu(resourceRouting),
		...resources.map((resource) => createOperationMenu(resource, sorted)),
		...createParameters(sorted),
		allowedEnvironmentParameter,
		createOptionsCollection(sorted),
		extraFieldsParameter,
	];
}

/** @returns an expression that yields the name of the operation, for the line under the node's name */
export function createSubtitle(operations: Operation[]): string {
	const names = operations.map(({ value, name }) => [value, name]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["operation"]] }}`;
}
