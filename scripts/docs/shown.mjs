import { createRequire } from 'node:module';

// Its ES module does not load in Node without a bundler.
const { NodeHelpers } = createRequire(import.meta.url)('n8n-workflow');

/** Every combination of one value from each list. */
function combinations(lists) {
	return lists.reduce(
		(all, [name, values]) =>
			all.flatMap((before) => values.map((value) => ({ ...before, [name]: value }))),
		[{}],
	);
}

/**
 * What the panel shows for an operation, by n8n's own rules: each field with the values of other fields that it
 * needs, where it does not stand there always.
 *
 * @param {object} description of the node
 * @param {{resource: string, operation: string}} chosen
 * @returns {{field: object, needs: Map<object, string[]>}[]}
 */
export function shownFields({ properties, ...description }, chosen) {
	const isShown = (field, values) =>
		NodeHelpers.displayParameter({ ...chosen, ...values }, field, null, description);
	const fields = properties.filter(
		({ name, type }) => type !== 'notice' && name !== 'resource' && name !== 'operation',
	);
	const asked = new Set(
		fields.flatMap(({ displayOptions: { show, hide } = {} }) =>
			Object.keys({ ...show, ...hide }).filter((name) => !(name in chosen)),
		),
	);
	const deciding = fields.filter((field) => asked.has(field.name));
	const own = deciding.filter((field) =>
		field.options.some(({ value }) =>
			combinations(choicesOf(deciding)).some(
				(values) => values[field.name] === value && isShown(field, values),
			),
		),
	);
	const every = combinations(choicesOf(own));
	return fields.flatMap((field) => {
		const fitting = every.filter((values) => isShown(field, values));
		if (fitting.length === 0) return [];
		const needs = own
			.map((other) => [other, [...new Set(fitting.map((values) => values[other.name]))]])
			.filter(([other, values]) => values.length < other.options.length);
		return [{ field, needs: new Map(needs) }];
	});
}

/** @param {object[]} fields with a closed list of values */
function choicesOf(fields) {
	return fields.map(({ name, options }) => [name, options.map(({ value }) => value)]);
}
