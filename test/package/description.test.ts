import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node';
import { ENDPOINTS, UNDOCUMENTED } from './endpoints';

const { description } = new VoiceSpeech();
const credential = new VoiceSpeechApi();

/** The names of the contract: released once, never changed. */
const PARAMETERS = [
	...['resource', 'operation', 'allowedEnvironment', 'inputType', 'audioSource'],
	...['binaryPropertyName', 'audioUrl', 'language', 'text', 'voiceId', 'voiceName', 'jsonBody'],
	...['outputPropertyName', 'extraFields', 'options'],
];
const OPTIONS = [
	...['answerTimeoutSeconds', 'concurrency', 'fileFieldName', 'formatCheck', 'includeInputFields'],
	...['keepInputFiles', 'maxRetryWaitSeconds', 'outputFileName', 'rateLimitRetries'],
	...['sampleCheck', 'textFieldName', 'textOnly'],
];

const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;
const isProperty = (option: object): option is INodeProperties => 'type' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

/** A property with everything inside it: the fields of a collection, and those of its groups. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if (isGroup(option)) return option.values;
		return isProperty(option) ? [option] : [];
	});
	return [property, ...inner.flatMap(withInner)];
}

const everyProperty = description.properties.flatMap(withInner);
const choicesOf = (property: INodeProperties) => (property.options ?? []).filter(isChoice);
const shownFor = (property: INodeProperties, parameter: string) =>
	property.displayOptions?.show?.[parameter] ?? [];

const operations = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) =>
		choicesOf(property).map((operation) => ({
			...operation,
			resources: shownFor(property, 'resource'),
		})),
	);

describe('the operations', () => {
	it.each(ENDPOINTS)('$path has exactly one: $resource, $operation', ({ path, ...names }) => {
		const found = operations.filter(({ routing }) => routing?.request?.url === path);
		expect(found).toHaveLength(1);
		expect(found[0]).toMatchObject({
			value: names.operation,
			resources: [names.resource],
			routing: { request: { method: 'POST' } },
		});
	});

	it('are these nine and no other', () => {
		expect(operations).toHaveLength(ENDPOINTS.length);
		const resource = description.properties.find(({ name }) => name === 'resource')!;
		const values = choicesOf(resource).map(({ value }) => value);
		expect(values.sort()).toEqual([...new Set(ENDPOINTS.map((each) => each.resource))].sort());
	});

	it.each(operations)('$value has an action, a description and a routing', (operation) => {
		// Sentence case with its object and without articles; abbreviations keep their capitals.
		expect(operation.action).toMatch(/^[A-Z][a-z]+( ([a-z][a-z-]*|[A-Z]{2,}))+$/);
		expect(operation.action).not.toMatch(/\b(a|an|the)\b/i);
		expect(operation.description).toMatch(/^[A-Z].{10,}/);
		expect(operation.routing).toBeDefined();
	});

	it('have actions that tell them apart', () => {
		expect(new Set(operations.map(({ action }) => action)).size).toBe(operations.length);
		expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
	});

	it.each(operations)('$value has an action with the words of its name', ({ name, action }) => {
		expect(action?.toLowerCase()).toContain(name.toLowerCase());
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

	// Workflows do not store a default: a change would change what they do.
	it.each([
		['call', 'analyzeCall'],
		['language', 'analyzeSentiment'],
		['speech', 'speechToText'],
		['voice', 'clone'],
	])('of %s begin with %s', (resource, operation) => {
		const menu = description.properties.find(
			(property) =>
				property.name === 'operation' && shownFor(property, 'resource').includes(resource),
		);
		expect(menu?.default).toBe(operation);
	});

	it('tell an agent that it gets no audio, and how to get a voice', () => {
		const notice = description.properties.find(({ name }) => name === 'toolNotice');
		expect(notice?.displayOptions?.show).toMatchObject({
			'@tool': [true],
			operation: ['textToSpeech'],
		});
		const voiceId = description.properties.find(({ name }) => name === 'voiceId');
		expect(voiceId?.hint).toContain('Voice > Clone');
	});

	it('leave no field that is shown for an operation that is not there', () => {
		for (const property of everyProperty) {
			for (const operation of shownFor(property, 'operation')) {
				expect(operations.map(({ value }) => value)).toContain(operation);
			}
		}
	});
});

describe('the parameters', () => {
	const namesOf = (properties: INodeProperties[]) =>
		[...new Set(properties.filter(({ type }) => type !== 'notice').map(({ name }) => name))].sort();

	it('are those of the contract', () => {
		expect(namesOf(description.properties)).toEqual([...PARAMETERS].sort());
	});

	it('have the options of the contract', () => {
		const options = description.properties.filter(({ name }) => name === 'options');
		expect(
			namesOf(options.flatMap(({ options: inner }) => (inner ?? []).filter(isProperty))),
		).toEqual([...OPTIONS].sort());
	});

	it('have an extra field of name, type and value', () => {
		for (const extra of description.properties.filter(({ name }) => name === 'extraFields')) {
			const [group, ...others] = (extra.options ?? []).filter(isGroup);
			expect(others).toEqual([]);
			expect(group?.name).toBe('field');
			expect(namesOf(group?.values ?? [])).toEqual(['name', 'type', 'value']);
		}
	});

	it('have defaults', () => {
		for (const property of everyProperty) expect(property).toHaveProperty('default');
	});
});

describe('the words', () => {
	const SMALL = /^(a|an|and|as|at|but|by|for|from|if|in|into|of|on|or|per|the|to|via|vs|with|n8n)$/;
	const isTitleCase = (label: string) =>
		label
			.split(/[\s/(),-]+/)
			.filter((word) => /^[a-z]/.test(word))
			.every((word) => SMALL.test(word)) && !/^[a-z]/.test(label);

	it('are in title case where they are labels', () => {
		const labels = everyProperty
			.filter(({ type }) => type !== 'notice')
			.flatMap((property) => [
				property.displayName,
				...choicesOf(property).map(({ name }) => name),
				...(property.options ?? []).filter(isGroup).map(({ displayName }) => displayName),
			]);
		expect(labels.filter((label) => !isTitleCase(label))).toEqual([]);
	});

	it('say "Whether" on a switch', () => {
		const switches = everyProperty.filter(({ type }) => type === 'boolean');
		expect(switches).not.toHaveLength(0);
		for (const property of switches) expect(property.description).toMatch(/^Whether /);
	});

	it('begin with "e.g." in a placeholder', () => {
		const placeholders = everyProperty
			.filter(({ type }) => type !== 'collection' && type !== 'fixedCollection')
			.flatMap(({ placeholder }) => placeholder ?? []);
		for (const placeholder of placeholders) expect(placeholder).toMatch(/^e\.g\. /);
	});

	it('are written in plain English letters, in the node and in its credential', () => {
		const properties = [...everyProperty, ...credential.properties.flatMap(withInner)];
		const texts = properties.flatMap((property) => [
			...[property.displayName, property.description ?? '', property.placeholder ?? ''],
			...choicesOf(property).flatMap(({ name, description: text = '' }) => [name, text]),
		]);
		expect(texts.length).toBeGreaterThan(100);
		expect(texts.filter((text) => !/^[\x20-\x7e]*$/.test(text))).toEqual([]);
	});

	it('stand from A to Z in a collection', () => {
		for (const { type, options } of everyProperty) {
			if (type !== 'collection') continue;
			const labels = (options ?? []).filter(isProperty).map(({ displayName }) => displayName);
			expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other, 'en')));
		}
	});
});

it('the key is hidden while it is typed', () => {
	const key = credential.properties.find(({ name }) => name === 'apiKey');
	expect(key?.typeOptions).toEqual({ password: true });
});
