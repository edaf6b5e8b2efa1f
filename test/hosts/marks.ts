import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeTypeDescription,
} from 'n8n-workflow';

type Property = INodeTypeDescription['properties'][number];

const nameAndType = ({ name, type }: INode) => `${name} (${type})`;

/** What the editor would mark in a node, by n8n's own description of it; nothing if all is well. */
export function marksOf(node: INode, types: INodeTypeDescription[]): string[] {
	const description = types.find(
		({ name, version }) => name === node.type && [version].flat().includes(node.typeVersion),
	);
	if (!description) return [`${nameAndType(node)}: not in this n8n as version ${node.typeVersion}`];
	const { properties } = description;
	const shown =
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description) ??
		{};
	const filled = { ...node, parameters: shown };
	const issues = NodeHelpers.getNodeParametersIssues(properties, filled, description);
	const isShown = (property: Property) =>
		NodeHelpers.displayParameter(shown, property, node, description);
	const visible = properties.filter(isShown);
	return [
		...Object.values(issues?.parameters ?? {}).flat(),
		...Object.entries(node.parameters).flatMap(([name, value]) =>
			marksOfValue(
				visible.filter((property) => property.name === name),
				value,
				name,
			),
		),
	].map((mark) => `${nameAndType(node)}: ${mark}`);
}

/** @param candidates the shown properties of that name; a name may stand for several */
function marksOfValue(candidates: Property[], value: unknown, name: string): string[] {
	if (candidates.length === 0) return [`no parameter "${name}"`];
	const [property] = candidates;
	const isChoice = property!.type === 'options' && !property!.typeOptions?.loadOptionsMethod;
	if (isChoice && !String(value).startsWith('=')) {
		const values = candidates.flatMap(({ options }) =>
			(options ?? []).map((option) => ('value' in option ? option.value : undefined)),
		);
		if (!values.includes(value as string)) return [`"${name}" can not be ${String(value)}`];
	}
	if (property!.type !== 'collection') return [];
	const known = candidates.flatMap(({ options }) => (options ?? []).map((option) => option.name));
	return Object.keys(value as INodeParameters)
		.filter((option) => !known.includes(option))
		.map((option) => `no option "${name}.${option}"`);
}
