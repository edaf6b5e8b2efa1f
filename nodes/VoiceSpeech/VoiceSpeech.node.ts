import {
	type INodeProperties,
	type INodePropertyRouting,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import {
	hasOption,
	isDocumentedOperation,
	isService,
	type Operation,
	type Resource,
	resources,
} from './descriptions/operation';
import { type CallOptions, optionDefinitions } from './descriptions/options';
import {
	allowedEnvironmentParameter,
	extraFieldsParameter,
	localResource,
} from './descriptions/parameters';
import { createCustomOperations, createPaginationRouting } from './n8n/entryPoints';
import { operations } from './resources';

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
	sorted: Operation[],
): INodeProperties {
	const entries = sorted.filter((operation) => operation.resource === resource);
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
function showOnlyFor(owners: Operation[]) {
	const names = owners.map(({ resource }) => resource);
	return {
		resource: [...new Set(names)],
		operation: owners.map(({ value }) => value),
	};
}

/**
 * The parameters of all operations. One that several operations share is one property, shown for each of them. Every panel
 * has its parameters in the order of its operation.
 */
function createParameters(sorted: Operation[]): INodeProperties[] {
	const parameters: INodeProperties[] = [];
	for (const operation of sorted) {
		let previousIndex = -1;
		for (const parameter of operation.parameters) {
			const isNew = !parameters.includes(parameter);
			if (isNew) parameters.splice(previousIndex + 1, 0, parameter);
			previousIndex = parameters.indexOf(parameter);
		}
	}
	return parameters.map((parameter) => {
		const owners = sorted.filter((operation) => operation.parameters.includes(parameter));
		// n8n-workflow's updateDisplayOptions is not used, because its deep merge took 1.3 ms of the loading time.
		const show = { ...parameter.displayOptions?.show, ...showOnlyFor(owners) };
		return { ...parameter, displayOptions: { ...parameter.displayOptions, show } };
	});
}

/** 'Options', in which n8n offers each option only for the operations that it applies to. */
function createOptionsCollection(sorted: Operation[]): INodeProperties {
	const names = Object.keys(optionDefinitions) as Array<keyof CallOptions>;
	const entries = names.map((name) => {
		const owners = sorted.filter((candidate) => hasOption(candidate, name));
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
function createProperties(resourceRouting: INodePropertyRouting): INodeProperties[] {
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
function createSubtitle(): string {
	const names = operations.map(({ value, name }) => [value, name]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["operation"]] }}`;
}

/** The node as n8n loads it. */
export class VoiceSpeech implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice and Speech',
		name: 'voiceSpeech',
		icon: {
			light: 'file:../../icons/voiceSpeech.svg',
			dark: 'file:../../icons/voiceSpeech.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: createSubtitle(),
		description:
			'Convert speech to text and text to speech, clone voices, split recordings, and analyze language, sentiment, intent and calls, with API keys that start with eak_test_ or eak_live_',
		defaults: { name: 'Voice and Speech' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'voiceSpeechApi',
				required: true,
				displayOptions: { hide: { resource: [localResource] } },
			},
		],
		// The node makes its requests itself. One that n8n made of this description would go nowhere: '.invalid' never
		// resolves (RFC 6761, 6.4), and the credential rejects any origin but that of its base URL.
		requestDefaults: { baseURL: 'https://voice-speech.invalid' },
		properties: createProperties(createPaginationRouting(operations)),
	};

	customOperations = createCustomOperations(operations);
}
