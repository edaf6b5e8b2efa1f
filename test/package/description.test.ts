import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { ENDPOINTS, UNDOCUMENTED } from './endpoints';

const { description } = new VoiceSpeech();

const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;
const isProperty = (option: object): option is INodeProperties => 'type' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

/** A property with everything inside it: the fields of a collection, and those of its groups. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) =>
		isGroup(option) ? option.values : isProperty(option) ? [option] : [],
	);
	return [property, ...inner.flatMap(withInner)];
}

const properties = description.properties.flatMap(withInner);
const choicesOf = (property: INodeProperties) => (property.options ?? []).filter(isChoice);

const shownFor = (property: INodeProperties, parameter: string) =>
	property.displayOptions?.show?.[parameter] ?? [];

const operations = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) =>
		choicesOf(property).map((operation) => ({
			...operation,
			resource: shownFor(property, 'resource').join(),
		})),
	);

describe('the operations', () => {
	it('are those of docs/openapi.yaml', () => {
		const found = operations.map(({ value, resource, routing }) =>
			[routing?.request?.method, routing?.request?.url, resource, value].join(' '),
		);
		const expected = ENDPOINTS.map(({ path, resource, operation }) =>
			['POST', path, resource, operation].join(' '),
		);
		expect(found.sort()).toEqual(expected.sort());
	});

	it.each(operations)('$value has an action in sentence case and a description', (operation) => {
		expect(operation.action).toMatch(/^[A-Z][a-z]+( ([a-z][a-z-]*|[A-Z]{2,}))+$/);
		expect(operation.action).not.toMatch(/\b(a|an|the)\b/i);
		expect(operation.action?.toLowerCase()).toContain(operation.name.toLowerCase());
		expect(operation.description).toMatch(/^[A-Z].{10,}/);
	});

	it.each(operations)('$value says that the service does not document it, if so', (operation) => {
		const isUndocumented = UNDOCUMENTED.includes(String(operation.value));
		const [first] = description.properties.filter(
			(property) =>
				property.name !== 'operation' && shownFor(property, 'operation').includes(operation.value),
		);
		expect(/not document/.test(operation.description ?? '')).toBe(isUndocumented);
		expect(first?.name === 'undocumentedNotice' && first.type === 'notice').toBe(isUndocumented);
	});

	// n8n adds 'Tool' to the name of a node that it offers to agents.
	it.each([
		['voiceSpeech', false],
		['voiceSpeechTool', true],
	])('as %s, Text to Speech says that an agent receives no file: %s', (name, isShown) => {
		const values = { resource: 'speech', operation: 'textToSpeech' };
		const [notice] = properties.filter((property) => property.name === 'toolNotice');
		expect(notice?.displayName).toMatch(/^An agent receives only a description of the audio/);
		const node = { typeVersion: 1 } as INode;
		const shown = NodeHelpers.displayParameter(values, notice!, node, { ...description, name });
		expect(shown).toBe(isShown);
	});

	it('have different names and actions', () => {
		expect(new Set(operations.map(({ action }) => action)).size).toBe(operations.length);
		expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
	});

	it('are all that fields are shown for', () => {
		const shown = properties.flatMap(({ displayOptions }) => displayOptions?.show?.operation ?? []);
		expect(operations.map(({ value }) => value)).toEqual(expect.arrayContaining(shown));
	});
});

describe("the texts follow n8n's rules", () => {
	const small = /^(a|an|and|as|at|but|by|for|from|if|in|into|of|on|or|per|the|to|via|vs|with|n8n)$/;
	const isTitleCase = (label: string) =>
		!/^[a-z]/.test(label) &&
		label.split(/[\s/(),-]+/).every((word) => !/^[a-z]/.test(word) || small.test(word));

	it('labels are in title case', () => {
		const labels = properties
			.filter(({ type }) => type !== 'notice')
			.flatMap((property) => [
				property.displayName,
				...choicesOf(property).map(({ name }) => name),
				...(property.options ?? []).filter(isGroup).map(({ displayName }) => displayName),
			]);
		expect(labels.filter((label) => !isTitleCase(label))).toEqual([]);
	});

	it.each<[what: string, rule: RegExp, texts: Array<string | undefined>]>([
		[
			'booleans',
			/^Whether /,
			properties.filter(({ type }) => type === 'boolean').map((property) => property.description),
		],
		[
			'placeholders',
			/^e\.g\. /,
			properties
				.filter(({ type, placeholder }) => placeholder && !/collection/i.test(type))
				.map(({ placeholder }) => placeholder),
		],
		[
			'all texts',
			/^[\x20-\x7e]*$/,
			[...properties, ...new VoiceSpeechApi().properties.flatMap(withInner)].flatMap((property) => [
				...[property.displayName, property.description, property.placeholder],
				...choicesOf(property).flatMap((choice) => [choice.name, choice.description]),
			]),
		],
	])('%s match %s', (_what, rule, texts) => {
		expect(texts).not.toHaveLength(0);
		expect(texts.filter((text = '') => !rule.test(text))).toEqual([]);
	});

	it('options of a collection are in alphabetical order', () => {
		for (const { type, options = [] } of properties) {
			if (type !== 'collection') continue;
			const labels = options.filter(isProperty).map(({ displayName }) => displayName);
			expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other, 'en')));
		}
	});
});
