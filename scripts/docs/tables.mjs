import { shownFields } from './shown.mjs';

/** The tables of a page of docs/operations, in Markdown. */

/** What the description leaves to the label alone. */
const meanings = {
	text: 'What to send.',
	'extraFields.field[].name': 'Of the part or field.',
	'extraFields.field[].type': 'What the value is.',
	'extraFields.field[].value': 'Of the part or field.',
	options: 'What is rarely changed.',
};

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {string[][]} rows the first one is the head */
function table([head, ...body]) {
	const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

const asCode = (value) => (value === '' ? 'empty' : `\`${String(value)}\``);

/**
 * @param {object} description of the node
 * @param {string} resource
 * @param {object} option the operation's entry in its menu
 * @param {object} [post] the operation in docs/openapi.yaml, where it is described there already
 */
export function factsTable(description, resource, option, post) {
	const resources = description.properties.find(({ name }) => name === 'resource').options;
	const { name } = resources.find(({ value }) => value === resource);
	const scopes = post?.security[0].apiKey ?? [];
	return table([
		['', ''],
		['Resource', `**${name}** (\`${resource}\`)`],
		['Operation', `**${option.name}** (\`${option.value}\`)`],
		['In the nodes panel', option.action],
		['Endpoint', `\`POST ${option.routing.request.url}\``],
		[
			'Scope of the key',
			scopes.length > 0 ? scopes.map(asCode).join(', ') : 'not documented by the service',
		],
	]);
}

/**
 * @param {object} description of the node
 * @param {Array<{option: object, resource: string}>} operations
 * @param {(name: string) => string} pageOf the file of an operation's page
 */
export function operationsTable(description, operations, pageOf) {
	const { options } = description.properties.find(({ name }) => name === 'resource');
	const notice = description.properties.find(({ name }) => name === 'undocumentedNotice');
	const undocumented = notice.displayOptions.show.operation;
	const rows = operations.map(({ option, resource }) => [
		options.find(({ value }) => value === resource).name,
		`[${option.name}](${pageOf(option.value)})`,
		undocumented.includes(option.value) ? 'not documented' : 'documented',
	]);
	return table([['Resource', 'Operation', 'What it takes and answers'], ...rows]);
}

/** Where a field does not stand always: "With **Audio Source** `file`." */
function condition(needs) {
	return [...needs]
		.map(
			([{ displayName }, values]) => `With **${displayName}** ${values.map(asCode).join(' or ')}.`,
		)
		.join(' ');
}

function choices({ options = [], type }) {
	if (type !== 'options') return '';
	return options
		.map(({ name, value, description }) => {
			const more = description ? `: ${description[0].toLowerCase()}${description.slice(1)}` : '';
			return `\`${value}\` ${name}${more}`;
		})
		.join('; ');
}

function defaultOf({ type, default: value, required }) {
	if (type === 'collection' || type === 'fixedCollection') return 'none';
	return required && value === '' ? 'required' : asCode(value);
}

function row(field, prefix = '', needs = new Map()) {
	const own = field.description ?? meanings[`${prefix}${field.name}`] ?? '';
	const sentence = own === '' || /[.?]$/.test(own) ? own : `${own}.`;
	const values = choices(field);
	const texts = [condition(needs), sentence, values && `Values: ${values}.`];
	return [
		`**${field.displayName}**`,
		`\`${prefix}${field.name}\``,
		defaultOf(field),
		texts.filter(Boolean).join(' '),
	];
}

/** The fields inside of a collection. */
function inner(field) {
	const name = `${field.name}.`;
	return (field.options ?? []).flatMap((option) => {
		if (field.type === 'fixedCollection') {
			return option.values.map((value) => row(value, `${name}${option.name}[].`));
		}
		return field.type === 'collection' ? [row(option, name)] : [];
	});
}

/** Every parameter that the panel shows for the operation, those in collections behind their collection. */
export function parametersTable(description, resource, operation) {
	return table([
		['Parameter', 'Name', 'Default', 'Meaning'],
		...shownFields(description, { resource, operation }).flatMap(({ field, needs }) => [
			row(field, '', needs),
			...inner(field),
		]),
	]);
}
