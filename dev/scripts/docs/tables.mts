// The tables and lists of operations, parameters and options, from the built node, docs/openapi.yaml, the emulator, and
// the tables in the pages of docs/operations/.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { services } from '../../emulator/service/index.mts';
import { endpoints, findContent, type Endpoint } from '../../lib/openapi.mts';
import { root } from '../../lib/root.cjs';
import { operations as nodeOperations } from '../../../nodes/VoiceSpeech/resources/index.ts';
import type { GeneratedFile } from './generatedFiles.mts';

const { VoiceSpeech } = createRequire(import.meta.url)(
	'../../../dist/nodes/VoiceSpeech/VoiceSpeech.node.js',
);
const properties: INodeProperties[] = new VoiceSpeech().description.properties;

/** An operation as the node shows it and docs/openapi.yaml describes it. */
interface Operation extends Endpoint {
	label: string;
	action: string;
	resource: string;
	resourceLabel: string;
	isDocumented: boolean;
}

/** A parameter or an option, with the operations that have it. */
interface Field {
	property: INodeProperties;
	shownFor: Operation[];
}

const undocumentedPage = 'undocumented.md';
const notDocumented = 'not documented';

function readFile(file: string): string {
	return readFileSync(path.join(root, file), 'utf8');
}

function formatCode(value: unknown): string {
	return `\`${String(value)}\``;
}

/** @param rows the first one is the head */
function formatTable(rows: string[][]): string {
	const lines = rows.map(
		(cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
	);
	const line = `|${' --- |'.repeat(rows[0]?.length ?? 0)}`;
	return ['', lines[0], line, ...lines.slice(1), ''].join('\n');
}

/** The rows of the first table of a page whose head has this column, by the names of its columns. */
function readTable(file: string, column: string): Array<Record<string, string>> {
	const lines = readFile(file).split('\n');
	const head = lines.findIndex((line) => line.startsWith('|') && line.includes(`| ${column} `));
	if (head < 0) throw new Error(`${file} has no table with the column "${column}"`);
	const below = lines.slice(head + 2);
	const rows = below.slice(
		0,
		below.findIndex((line) => !line.startsWith('|')),
	);
	const splitCells = (line: string) =>
		line
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim());
	const names = splitCells(lines[head] ?? '');
	return rows.map((row) => {
		const cells = splitCells(row);
		return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
	});
}

/** The choices of a menu of the node. */
function listChoices(menu: INodeProperties | undefined): INodePropertyOptions[] {
	return (menu?.options ?? []) as INodePropertyOptions[];
}

function findEndpoint(choice: INodePropertyOptions): Endpoint {
	const endpoint = endpoints.find(({ operation }) => operation === choice.value);
	if (endpoint === undefined) {
		throw new Error(`docs/openapi.yaml has no operation with the operationId ${choice.value}`);
	}
	if (endpoint.path !== choice.routing?.request?.url) {
		throw new Error(`docs/openapi.yaml has another path than the node for ${choice.value}`);
	}
	return endpoint;
}

/** All operations in the order of the node's menus. */
function listOperations(): Operation[] {
	const resources = listChoices(properties.find(({ name }) => name === 'resource'));
	const menus = properties.filter(({ name }) => name === 'operation');
	return menus.flatMap((menu) => {
		const resource = menu.displayOptions?.show?.resource?.[0];
		if (typeof resource !== 'string') return [];
		const resourceLabel = resources.find(({ value }) => value === resource)?.name ?? '';
		return listChoices(menu).map((choice) => {
			const endpoint = findEndpoint(choice);
			return {
				...endpoint,
				label: choice.name,
				action: choice.action ?? '',
				resource,
				resourceLabel,
				isDocumented: findContent(endpoint.request) !== undefined,
			};
		});
	});
}

const operations = listOperations();
const documented = operations.filter(({ isDocumented }) => isDocumented);
const undocumented = operations.filter(({ isDocumented }) => !isDocumented);

/** `textToSpeech` has the page `text-to-speech.md`. */
function namePage({ isDocumented, operation }: Operation): string {
	if (!isDocumented) return undocumentedPage;
	return `${operation.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}.md`;
}

function createOperationsTable(): string {
	const rows = [...documented, ...undocumented].map((operation) => [
		operation.resourceLabel,
		`[${operation.label}](${namePage(operation)})`,
		formatCode(operation.path),
		operation.scope === undefined ? notDocumented : formatCode(operation.scope),
	]);
	const head = ['Resource', 'Operation', 'Endpoint', 'Scope of the key'];
	return formatTable([head, ...rows]);
}

/** The README's table of documented operations: what the first table of each one's page says. */
function createDocumentedOverview(): string {
	const rows = documented.map((operation) => {
		const [row = {}] = readTable(`docs/operations/${namePage(operation)}`, 'Use it for');
		const link = `[${operation.label}](docs/operations/${namePage(operation)})`;
		return [row['Use it for'] ?? '', link, row['You give'] ?? '', row['You get'] ?? ''];
	});
	return formatTable([['Use it for', 'Operation', 'You give', 'You get'], ...rows]);
}

/** The README's table of the other operations: what the table of their page says. */
function createUndocumentedOverview(): string {
	const page = `docs/operations/${undocumentedPage}`;
	const purposes = readTable(page, 'Use it for');
	for (const { label } of undocumented) {
		if (purposes.some((row) => row.Operation === label)) continue;
		throw new Error(`${page} has no row for "${label}"`);
	}
	const rows = purposes.map((row) => [row['Use it for'] ?? '', `[${row.Operation}](${page})`]);
	return formatTable([['Use it for', 'Operation'], ...rows]);
}

/** The operations that have a field, in words. */
function describeOperations(shownFor: Operation[]): string {
	const others = operations.filter((operation) => !shownFor.includes(operation));
	const listNames = (list: Operation[]) => list.map(({ label }) => label).join(', ');
	if (others.length === 0) return 'all operations';
	if (listNames(shownFor) === listNames(undocumented)) return 'the undocumented ones';
	return others.length <= 3 ? `all except ${listNames(others)}` : listNames(shownFor);
}

/** When it is shown, and what it does. */
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

/** What n8n shows for a value of a parameter. */
function findLabel(property: INodeProperties | undefined, value: unknown): string {
	const choices = property?.type === 'options' ? listChoices(property) : [];
	return choices.find((choice) => choice.value === value)?.name ?? String(value);
}

function describeDefault(property: INodeProperties): string {
	const { type, default: value } = property;
	if (type === 'fixedCollection') return 'none';
	if (value === '') return 'empty';
	// A switch that is not added to 'Options' has the opposite of what it has when it is added.
	if (type === 'boolean') return value === true ? 'off' : 'on';
	return findLabel(property, value);
}

/** One entry for each name: fields of one name differ only in their default, and in the operations. */
function createFieldsList(fields: Field[]): string {
	const names = [...new Set(fields.map(({ property }) => property.name))];
	const entries = names.map((name) => {
		const same = fields.filter(({ property }) => property.name === name);
		const [first] = same as [Field];
		const defaults = same.map(({ property }) => describeDefault(property));
		const shownFor = operations.filter((operation) =>
			same.some((field) => field.shownFor.includes(operation)),
		);
		const { displayName, required, type } = first.property;
		const isRequired = required === true && defaults.includes('empty');
		const use = isRequired ? 'required' : `default: ${[...new Set(defaults)].join(' or ')}`;
		const entry = `- **${displayName}** (${use}): ${describeField(first.property)}`;
		const facts = `${describeOperations(shownFor)}; ${formatCode(name)}`;
		const choices = type === 'options' ? listChoices(first.property) : [];
		const choiceLines = choices.map((choice) => `  - **${choice.name}**: ${choice.description}`);
		return [`${entry} (${facts})`, ...choiceLines].join('\n');
	});
	return ['', ...entries, ''].join('\n');
}

/** @param condition the name of the operation in conditions: a slash leads out of a collection */
function findOperations(property: INodeProperties, condition: 'operation' | '/operation') {
	const names = property.displayOptions?.show?.[condition];
	return operations.filter(({ operation }) => names === undefined || names.includes(operation));
}

function listParameters(): Field[] {
	const menus = ['resource', 'operation', 'options'];
	return properties
		.filter(({ name, type }) => type !== 'notice' && !menus.includes(name))
		.map((property) => ({ property, shownFor: findOperations(property, 'operation') }));
}

function listOptions(): Field[] {
	const collection = properties.find(({ name }) => name === 'options');
	return ((collection?.options ?? []) as INodeProperties[]).map((property) => ({
		property,
		shownFor: findOperations(property, '/operation'),
	}));
}

function createEmulatorTable(): string {
	const rows = endpoints.map(({ name }) => {
		const service = services[name as keyof typeof services];
		return [name, String(service.credits), service.rule];
	});
	return formatTable([['Operation', 'Credits', 'Rule'], ...rows]);
}

/** The choices of the issue template's question for the operation. */
function createIssueChoices(): string {
	return operations.map(({ label }) => `        - ${label}`).join('\n');
}

/** n8n's search reads the node's aliases, but not the names of its actions. */
function createCodex(): GeneratedFile {
	const file = 'nodes/VoiceSpeech/VoiceSpeech.node.json';
	const codex = JSON.parse(readFile(file)) as { alias: string[] };
	const actions = operations.map(({ action }) => action.split(' (')[0]?.toLowerCase() ?? '');
	const alias = [...new Set([...codex.alias, ...actions])];
	alias.sort((one, other) => one.localeCompare(other, 'en'));
	return { file, content: JSON.stringify({ ...codex, alias }, undefined, '\t') };
}

/** The fields of an operation's output, by which n8n offers them before the first call. */
function createOutputSchema({ resource, operation }: Operation): GeneratedFile {
	const declared = nodeOperations.find((one) => one.operation === operation)?.outputFields ?? {};
	const output = Object.fromEntries(
		Object.entries(declared).map(([name, type]) => [name, { type }]),
	);
	return {
		file: `nodes/VoiceSpeech/__schema__/v1.0.0/${resource}/${operation}.json`,
		content: JSON.stringify({ type: 'object', properties: output, version: 1 }, undefined, '\t'),
	};
}

/** @returns all that needs the built node */
export function createTables(): GeneratedFile[] {
	const page = 'docs/operations/README.md';
	return [
		{ file: 'README.md', part: 'documented', content: createDocumentedOverview() },
		{ file: 'README.md', part: 'undocumented', content: createUndocumentedOverview() },
		{ file: page, part: 'operations', content: createOperationsTable() },
		{ file: page, part: 'parameters', content: createFieldsList(listParameters()) },
		{ file: page, part: 'options', content: createFieldsList(listOptions()) },
		{ file: 'dev/emulator/README.md', part: 'responses', content: createEmulatorTable() },
		{
			file: '.github/ISSUE_TEMPLATE/bug.yml',
			part: 'operations',
			content: createIssueChoices(),
		},
		createCodex(),
		...documented.map(createOutputSchema),
	];
}
