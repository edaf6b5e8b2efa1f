import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** An entry of the node's menus with all that belongs to it. */
export interface Operation {
	resource: Resource['value'];
	/** The entry of the 'Operation' menu, with the routing that n8n runs. */
	option: INodePropertyOptions & { value: string; action: string };
	/** The fields of its panel, each shown for this operation only. */
	fields: INodeProperties[];
}

interface Resource {
	name: string;
	value: 'speech' | 'voice' | 'language' | 'call';
	description: string;
}

const resources: Resource[] = [
	{ name: 'Call', value: 'call', description: 'Recorded or live phone calls' },
	{
		name: 'Language',
		value: 'language',
		description: 'What a text or recording is in, and what it means',
	},
	{ name: 'Speech', value: 'speech', description: 'Speech to text and text to speech' },
	{ name: 'Voice', value: 'voice', description: 'Voices that text to speech can use' },
];

function byName(a: { name: string }, b: { name: string }): number {
	return a.name.localeCompare(b.name);
}

/**
 * Builds the two menus and the panels under them.
 *
 * @returns the properties of the node's description, the menus first
 */
export function menuOf(operations: Operation[]): INodeProperties[] {
	const operationMenus = resources.map((resource): INodeProperties => {
		const options = operations
			.filter((operation) => operation.resource === resource.value)
			.map((operation) => operation.option)
			.sort(byName);
		const first = options[0]?.value ?? '';
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource.value] } },
			options,
			default: first,
		};
	});
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources,
			default: 'speech',
		},
		...operationMenus,
		...operations.flatMap((operation) => operation.fields),
	];
}

/** @returns an expression for the line under the node's name: what the chosen operation is called in the menu */
export function subtitleOf(operations: Operation[]): string {
	const names = operations.map(({ option }) => [option.value, option.name]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["operation"]] }}`;
}
