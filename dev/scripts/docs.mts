// Writes the tables of docs/operations/README.md from the built node and docs/openapi.yaml:
// `npm run docs`. With --check it writes nothing, prints the files that are out of date, and exits with 1.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import prettier from 'prettier';
import { parse } from 'yaml';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { root } from '../lib/root.cjs';

type Property = INodeProperties;

type Choice = INodePropertyOptions;

type Field = { field: Property; shownFor: string[] };

const { VoiceSpeech } = createRequire(import.meta.url)(
	'../../dist/nodes/VoiceSpeech/VoiceSpeech.node.js',
);
const properties: Property[] = new VoiceSpeech().description.properties;
const { paths, components } = parse(readFileSync(path.join(root, 'docs/openapi.yaml'), 'utf8'));

const code = (value: unknown) => `\`${String(value)}\``;
const notDocumented = 'not documented';

/** The fields of a request or response in docs/openapi.yaml. */
function fieldsOf(body: any) {
	const [content] = Object.entries(body?.content ?? { '': {} });
	const [type, { schema = {} }] = content as [string, any];
	if (type.startsWith('audio/')) return 'an audio file';
	const names = schema.$ref
		? components.schemas[schema.$ref.split('/').at(-1)].required
		: Object.keys(schema.properties ?? {});
	return names.map(code).join(', ');
}

const operations = properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ options, displayOptions }) =>
		(options as Choice[]).map(({ name, value, routing }) => {
			const endpoint = String(routing?.request?.url);
			const post = paths[endpoint]?.post;
			return {
				name,
				value: String(value),
				resource: displayOptions?.show?.resource?.[0],
				endpoint,
				scope: post?.security[0].apiKey[0],
				sends: fieldsOf(post?.requestBody),
				returns: fieldsOf(post?.responses['2XX']),
			};
		}),
	);
const undocumented = operations.filter(({ sends }) => sends === '');

/** @param rows the first one is the head */
function table(rows: string[][]) {
	const lines = rows.map(
		(cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
	);
	return [lines[0], `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...lines.slice(1)].join('\n');
}

function operationsTable() {
	const resources = properties.find(({ name }) => name === 'resource')?.options as Choice[];
	const documented = operations.filter(({ sends }) => sends !== '');
	const rows = [...documented, ...undocumented].map((operation) => {
		const { name, value, resource, endpoint, scope, sends, returns } = operation;
		const kebabCase = value.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
		return [
			resources.find((one) => one.value === resource)?.name ?? '',
			`[${name}](${sends === '' ? 'undocumented' : kebabCase}.md)`,
			code(endpoint),
			scope ? code(scope) : notDocumented,
			sends || notDocumented,
			returns || notDocumented,
		];
	});
	return table([
		['Resource', 'Operation', 'Endpoint', 'Scope of the key', 'Sends', 'Returns'],
		...rows,
	]);
}

/** The operations that have a field, in words. */
function shownForText(values: string[]) {
	const shown = operations.filter(({ value }) => values.includes(value));
	const others = operations.filter(({ value }) => !values.includes(value));
	const names = (list: typeof operations) => list.map(({ name }) => name).join(', ');
	if (others.length === 0) return 'all';
	if (names(shown) === names(undocumented)) return 'the undocumented';
	return others.length <= 3 ? `all except ${names(others)}` : names(shown);
}

function descriptionOf({ description, displayOptions, type, options }: Property) {
	const conditions = Object.entries(displayOptions?.show ?? {})
		.filter(([name]) => !/(resource|operation)$/.test(name))
		.map(([name, values]) => {
			const property = properties.find((one) => one.name === name);
			const labels = values?.map((value) => `'${labelOf(property, value)}'`);
			return `If '${property?.displayName}' is ${labels?.join(' or ')}.`;
		});
	const choices = type === 'options' ? (options as Choice[]) : [];
	const values = choices.map((one) => [`**${one.name}**`, one.description].join(': '));
	const sentences = [...conditions, description]
		.filter((text) => text !== undefined)
		.map((text) => (/[.?]$/.test(text) ? text : `${text}.`));
	return [sentences.join(' '), ...values].join('<br>');
}

/** What n8n shows for a value of a parameter. */
function labelOf(property: Property | undefined, value: unknown): string {
	const choices = property?.type === 'options' ? (property.options as Choice[]) : [];
	return choices.find((one) => one.value === value)?.name ?? String(value);
}

function defaultOf(field: Property) {
	const { type, default: value, required } = field;
	if (type === 'fixedCollection') return 'none';
	if (value === '') return required ? 'required' : 'empty';
	// The value of a switch that is not added.
	if (type === 'boolean') return value === true ? 'off' : 'on';
	return labelOf(field, value);
}

/** One row for each name: fields of one name differ only in their default, and in the operations. */
function fieldsTable(fields: Field[]) {
	const names = [...new Set(fields.map(({ field }) => field.name))];
	const rows = names.map((name) => {
		const same = fields.filter(({ field }) => field.name === name);
		const [{ field }] = same as [Field];
		return [
			`**${field.displayName}**<br>${code(name)}`,
			[...new Set(same.map((one) => defaultOf(one.field)))].join(' or '),
			descriptionOf(field),
			shownForText(same.flatMap(({ shownFor }) => shownFor)),
		];
	});
	return table([['Parameter', 'Default', 'Description', 'Operations'], ...rows]);
}

const fields: Field[] = properties
	.filter(({ name, type }) => type !== 'notice' && name !== 'resource' && name !== 'operation')
	.map((field) => ({
		field,
		shownFor:
			field.displayOptions?.show?.operation?.map(String) ?? operations.map(({ value }) => value),
	}));
const collection = properties.find(({ name }) => name === 'options');
const options = (collection?.options as Property[]).map((option) => ({
	field: option,
	// In a collection, a slash leads to a parameter outside of it.
	shownFor: option.displayOptions?.show?.['/operation']?.map(String) ?? [],
}));

const pages = {
	'docs/operations/README.md': {
		operations: operationsTable(),
		parameters: fieldsTable(fields.filter(({ field }) => field.name !== 'options')),
		options: fieldsTable(options),
	},
};

const end = '<!-- End of the generated part. -->';
for (const [file, parts] of Object.entries(pages)) {
	const target = path.join(root, file);
	const before = readFileSync(target, 'utf8');
	let text = before;
	for (const [part, content] of Object.entries(parts)) {
		const begin = `<!-- Generated by "npm run docs": ${part} -->`;
		const [start, stop] = [text.indexOf(begin), text.indexOf(end, text.indexOf(begin))];
		if (start < 0 || stop < 0) throw new Error(`${file} has no part between ${begin} and ${end}`);
		text = `${text.slice(0, start + begin.length)}\n\n${content}\n\n${text.slice(stop)}`;
	}
	const config = await prettier.resolveConfig(target);
	const after = await prettier.format(text, { ...config, filepath: target });
	if (after === before) continue;
	process.stdout.write(`${file}\n`);
	if (process.argv.includes('--check')) process.exitCode = 1;
	else writeFileSync(target, after);
}
