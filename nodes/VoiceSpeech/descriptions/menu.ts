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
	return a.name < b.name ? -1 : 1;
}

type Shown = Record<'resource' | 'operation', string[]>;

/** Where a field is shown, and all else that it is, as a text to compare. */
function partsOf(field: INodeProperties): { shown: Shown; rest: string } {
	const { resource, operation, ...others } = field.displayOptions?.show ?? {};
	const rest = { ...field, displayOptions: { ...field.displayOptions, show: others } };
	return { shown: { resource, operation } as Shown, rest: JSON.stringify(rest) };
}

function union(a: string[], b: string[]): string[] {
	return [...new Set([...a, ...b])];
}

/**
 * The fields of all operations, equal ones merged into one that is shown for each: n8n resolves every field of the
 * description for every item, with the expressions of its namesakes, shown or not. The order that each operation
 * gives its fields stays.
 */
function mergedFields(operations: Operation[]): INodeProperties[] {
	const merged: Array<{ field: INodeProperties; shown: Shown; rest: string }> = [];
	for (const { fields } of operations) {
		let place = 0;
		for (const field of fields) {
			const { shown, rest } = partsOf(field);
			const same = merged.find((other) => other.rest === rest);
			if (same === undefined) {
				merged.splice(place++, 0, { field, shown, rest });
				continue;
			}
			same.shown.resource = union(same.shown.resource, shown.resource);
			same.shown.operation = union(same.shown.operation, shown.operation);
			place = merged.indexOf(same) + 1;
		}
	}
	return merged.map(({ field, shown }) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, ...shown },
		},
	}));
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
		...mergedFields(operations),
	];
}

/** @returns an expression for the line under the node's name: what the chosen operation is called in the menu */
export function subtitleOf(operations: Operation[]): string {
	const names = operations.map(({ option }) => [option.value, option.name]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["operation"]] }}`;
}
