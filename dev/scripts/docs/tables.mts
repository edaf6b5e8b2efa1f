// Creates the tables and lists of operations, parameters and options, the codex and output schemas. Their content is from
// the node, the emulator, and the tables in the pages of docs/operations/.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { operationHandlers } from '../../emulator/service/index.mts';
import { createMarkdownTable } from '../../lib/markdown.mts';
import { root } from '../../lib/root.cjs';
import { versions } from '../../n8n/versions.mts';
import {
	isDocumentedOperation,
	isService,
	type Operation,
	resources,
} from '../../../nodes/VoiceSpeech/descriptions/operation.ts';
import type { Option } from '../../../nodes/VoiceSpeech/descriptions/optionKinds.ts';
import { optionDefinitions } from '../../../nodes/VoiceSpeech/descriptions/options.ts';
import { operations as allOperations } from '../../../nodes/VoiceSpeech/resources/index.ts';
import { VoiceSpeech } from '../../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import type { GeneratedFile } from './generatedFiles.mts';

const { properties } = new VoiceSpeech().description;

const options: Record<string, Option<unknown>> = optionDefinitions;

/** In the order of the node's menus, in which the documented operations of a resource are first. */
const operations = resources.flatMap(({ value }) => {
	const own = allOperations.filter(({ resource }) => resource === value);
	return own.sort((a, b) => Number(isDocumentedOperation(b)) - Number(isDocumentedOperation(a)));
});
const documented = operations.filter(isDocumentedOperation);
const undocumented = operations.filter((operation) => !isDocumentedOperation(operation));

const readFile = (file: string) => readFileSync(path.join(root, file), 'utf8');

const formatCode = (text: string) => `\`${text}\``;

/** @returns the cells below the head of the page's table with the column "Use it for" */
function readUses(page: string): string[][] {
	const blocks = readFile(page).split('\n\n');
	const table = blocks.find((block) => block.startsWith('|') && /\| Use it for +\|/.test(block));
	if (table === undefined) throw new Error(`${page} has no table with the column "Use it for"`);
	const rows = table.split('\n').slice(2);
	return rows.map((row) => row.split(/\s*\|\s*/).slice(1, -1));
}

/** `textToSpeech` has the page `text-to-speech.md`. */
function namePage(operation: Operation): string {
	const { resource, value } = operation;
	if (!isService(operation)) return `${resource}.md`;
	if (!isDocumentedOperation(operation)) return 'undocumented.md';
	return `${value.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}.md`;
}

/** Its endpoint, and the scope that a key needs for it. */
function describeEndpoint(operation: Operation): [endpoint: string, scope: string] {
	if (!isService(operation)) return ['none', 'none'];
	const { path: endpointPath, scope } = operation.endpoint;
	return [formatCode(endpointPath), scope === undefined ? 'not documented' : formatCode(scope)];
}

function createOperationsTable(): string {
	const rows = [...documented, ...undocumented].map((operation) => {
		const [endpointPath, scope] = describeEndpoint(operation);
		return [
			resources.find(({ value }) => value === operation.resource)?.name ?? '',
			`[${operation.name}](${namePage(operation)})`,
			endpointPath,
			scope,
		];
	});
	return createMarkdownTable(['Resource', 'Operation', 'Endpoint', 'Scope of the key'], rows);
}

/** The README's table of documented operations, from the table on each one's page. */
function createDocumentedOverview(): string {
	const rows = documented.map((operation) => {
		const page = `docs/operations/${namePage(operation)}`;
		const rows = readUses(page);
		// A page of several operations names each of them in the first column.
		const named = rows.find(([label]) => label === operation.name)?.slice(1);
		const [, input = '', output = ''] = named ?? rows[0] ?? [];
		return [`[${operation.name}](${page})`, input, output];
	});
	return createMarkdownTable(['Operation', 'You give', 'You get'], rows);
}

/**
 * The README's list of the other operations.
 *
 * @throws {Error} if their page lacks one
 */
function createUndocumentedOverview(): string {
	const page = 'docs/operations/undocumented.md';
	const uses = readUses(page);
	for (const { name } of undocumented) {
		if (uses.some(([label]) => label === name)) continue;
		throw new Error(`${page} has no row for "${name}"`);
	}
	return `[${undocumented.map(({ name }) => name).join(', ')}](${page})`;
}

/** Names the operations that have a field. */
function describeOperations(owners: Operation[]): string {
	const others = operations.filter((operation) => !owners.includes(operation));
	const listNames = (list: Operation[]) => list.map(({ name }) => name).join(', ');
	if (others.length === 0) return 'all operations';
	if (listNames(owners) === listNames(undocumented)) return 'the undocumented ones';
	return others.length <= 3 ? `all except ${listNames(others)}` : listNames(owners);
}

/** Says when a field is shown, and what it does. */
function describeField({ description, displayOptions }: INodeProperties): string {
	const conditions = Object.entries(displayOptions?.show ?? {})
		.filter(([name]) => !/(resource|operation)$/.test(name))
		.map(([name, values]) => {
			const property = properties.find((one) => one.name === name);
			const labels = values?.map((value) => `'${findLabel(property, value)}'`);
			return `If '${property?.displayName}' is ${labels?.join(' or ')}.`;
		});
	return [...conditions, description]
		.filter((text) => text !== undefined)
		.map((text) => (/[.?]$/.test(text) ? text : `${text}.`))
		.join(' ');
}

/** @returns the choices of a parameter; empty if it has none */
function listChoices(property: INodeProperties | undefined): INodePropertyOptions[] {
	return property?.type === 'options' ? (property.options as INodePropertyOptions[]) : [];
}

/** @returns what n8n shows for a value of a parameter */
function findLabel(property: INodeProperties | undefined, value: unknown): string {
	return listChoices(property).find((choice) => choice.value === value)?.name ?? String(value);
}

function describeDefault(property: INodeProperties): string {
	const { type, default: value } = property;
	if (type === 'fixedCollection') return 'none';
	if (value === '') return 'empty';
	// Its default is what a switch has when a user adds it to 'Options'. Until then, the opposite applies.
	if (type === 'boolean') return value === true ? 'off' : 'on';
	const option: Option<unknown> | undefined = options[property.name];
	const isOff = type === 'number' && option !== undefined && option.read(undefined) !== value;
	if (isOff) return `none, ${findLabel(property, value)} once added`;
	return findLabel(property, value);
}

function isShownFor({ displayOptions }: INodeProperties, { value, resource }: Operation): boolean {
	const { show = {}, hide = {} } = displayOptions ?? {};
	if (hide.resource?.includes(resource)) return false;
	// In a collection, a slash begins the name of a parameter outside of it.
	const names = show.operation ?? show['/operation'];
	return names === undefined || names.includes(value);
}

/** Fields of one name differ only in their default and in the operations, so each name has one entry. */
function createFieldsList(fields: INodeProperties[]): string {
	const names = [...new Set(fields.map(({ name }) => name))];
	const entries = names.map((name) => {
		const same = fields.filter((field) => field.name === name);
		const [first] = same as [INodeProperties];
		const defaults = [...new Set(same.map(describeDefault))];
		const owners = operations.filter((operation) =>
			same.some((field) => isShownFor(field, operation)),
		);
		const isRequired = first.required === true && defaults.includes('empty');
		const use = isRequired ? 'required' : `default: ${defaults.join(' or ')}`;
		const entry = `- **${first.displayName}** (${use}): ${describeField(first)}`;
		const facts = `${describeOperations(owners)}; ${formatCode(name)}`;
		const choices = listChoices(first).map((one) => `  - **${one.name}**: ${one.description}`);
		return [`${entry} (${facts})`, ...choices].join('\n');
	});
	return ['', ...entries, ''].join('\n');
}

function listParameters(): INodeProperties[] {
	const menus = ['resource', 'operation', 'options'];
	return properties.filter(({ name, type }) => type !== 'notice' && !menus.includes(name));
}

function listOptions(): INodeProperties[] {
	const collection = properties.find(({ name }) => name === 'options');
	return (collection?.options ?? []) as INodeProperties[];
}

function createEmulatorList(): string {
	const handlers = Object.entries(operationHandlers);
	const entries = handlers.map(
		([name, { credits, rule }]) => `- **${name}** (credits: ${credits}): ${rule}`,
	);
	return ['', ...entries, ''].join('\n');
}

/** The README's sentence about the tested versions, the oldest first. */
function createVersionsSentence(): string {
	const list = new Intl.ListFormat('en-GB').format([...versions].reverse());
	return `\nThe node was tested with n8n ${list}.\n`;
}

/** The choices of the issue template's question for the operation. */
function createIssueChoices(): string {
	return operations.map(({ name }) => `        - ${name}`).join('\n');
}

/** n8n's search does not read the names of actions, so they become aliases, like the words of searchWords.json. */
function createCodex(): GeneratedFile {
	const file = 'nodes/VoiceSpeech/VoiceSpeech.node.json';
	const codex = JSON.parse(readFile(file)) as object;
	const searchWords = JSON.parse(readFile('dev/scripts/docs/searchWords.json')) as string[];
	const actions = operations.map(({ action }) => action.split(' (')[0]?.toLowerCase() ?? '');
	const alias = [...new Set([...searchWords, ...actions])];
	alias.sort((one, other) => one.localeCompare(other, 'en'));
	return { file, content: JSON.stringify({ ...codex, alias }, undefined, '\t') };
}

/** The schema of an operation's output, if its fields are documented. n8n offers these fields before the first call. */
function createOutputSchema({ resource, value, outputFields }: Operation): GeneratedFile[] {
	if (outputFields === undefined) return [];
	const fields = Object.entries(outputFields).map(([name, type]) => [name, { type }] as const);
	const schema = { type: 'object', properties: Object.fromEntries(fields), version: 1 };
	const file = `nodes/VoiceSpeech/__schema__/v1.0.0/${resource}/${value}.json`;
	return [{ file, content: JSON.stringify(schema, undefined, '\t') }];
}

export function createTables(): GeneratedFile[] {
	const page = 'docs/operations/README.md';
	const issueTemplate = '.github/ISSUE_TEMPLATE/bug.yml';
	return [
		{ file: 'README.md', part: 'versions', content: createVersionsSentence() },
		{ file: 'README.md', part: 'documented', content: createDocumentedOverview() },
		{ file: 'README.md', part: 'undocumented', content: createUndocumentedOverview() },
		{ file: page, part: 'operations', content: createOperationsTable() },
		{ file: page, part: 'parameters', content: createFieldsList(listParameters()) },
		{ file: page, part: 'options', content: createFieldsList(listOptions()) },
		{ file: 'dev/emulator/README.md', part: 'responses', content: createEmulatorList() },
		{ file: issueTemplate, part: 'operations', content: createIssueChoices() },
		createCodex(),
		...operations.flatMap(createOutputSchema),
	];
}
