import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { keyPrefixes } from '../../credentials/checkedCredential.ts';
import { isService } from '../../nodes/VoiceSpeech/descriptions/operation.ts';
import { operations as operationDefinitions } from '../../nodes/VoiceSpeech/resources/index.ts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import { serviceEndpoints } from '../support/serviceInterface.mts';
import { listUnknownParameters } from '../support/shownParameters.mts';

const { description } = new VoiceSpeech();

const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;
const isProperty = (option: object): option is INodeProperties => 'type' in option;
const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;

/** A property with everything inside it: the fields of a collection, and those of its groups. */
function listWithInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if (isGroup(option)) return option.values;
		return isProperty(option) ? [option] : [];
	});
	return [property, ...inner.flatMap(listWithInner)];
}

const properties = description.properties.flatMap(listWithInner);
const listOptions = (property: INodeProperties) => (property.options ?? []).filter(isChoice);

function findEndpoints(...names: string[]) {
	return serviceEndpoints.filter(({ operation }) => names.includes(operation));
}

const jsonType = 'application/json';
const formType = 'multipart/form-data';

const operations = description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(listOptions);

it('operations have different internal names and actions, in sentence case, without articles', () => {
	for (const { name, action, description: text } of operations) {
		const [words] = action!.split(' (');
		expect(words).toMatch(/^[A-Z][a-z]+( (?!(a|an|the)\b)([a-z][a-z-]*|[A-Z]{2,}))+$/);
		expect(action?.toLowerCase()).toContain(name.toLowerCase());
		expect(text).toMatch(/^[A-Z].{10,}/);
	}
	expect(new Set(operations.map(({ action }) => action)).size).toBe(operations.length);
	expect(new Set(operations.map(({ value }) => value)).size).toBe(operations.length);
});

it("the node's description names the prefixes of its keys", () => {
	for (const prefix of Object.values(keyPrefixes)) {
		expect(description.description).toContain(prefix);
	}
});

it('docs/openapi.yaml has a path for every operation that calls the service', () => {
	expect(
		operationDefinitions
			.filter(isService)
			.map(({ value }) => value)
			.sort(),
	).toEqual(serviceEndpoints.map(({ operation }) => operation).sort());
});

it.each(serviceEndpoints)('n8n shows of $operation whether it is documented', (endpoint) => {
	const operation = operations.find(({ value }) => value === endpoint.operation)!;
	const first = description.properties.find(({ displayOptions }) =>
		displayOptions?.show?.operation?.includes(operation.value),
	)!;
	expect(/ \(undocumented\)$/.test(operation.action!)).toBe(!endpoint.isDocumented);
	expect(/not document/.test(operation.description!)).toBe(!endpoint.isDocumented);
	expect(first.name === 'undocumentedNotice').toBe(!endpoint.isDocumented);
});

const undocumented = serviceEndpoints.filter(({ isDocumented }) => !isDocumented);
// An operation that is not documented has the type '*/*': it may send and return audio or JSON.
const sendingAudio = serviceEndpoints.filter(({ request }) => request.type !== jsonType);
const sendingText = serviceEndpoints.filter(({ request }) => request.type !== formType);
const returningFiles = serviceEndpoints.filter(({ response }) => response.type !== jsonType);

const optionTable = [
	{ option: 'keepInputFiles', value: true, endpoints: serviceEndpoints },
	{ option: 'exactCuts', value: true, endpoints: [] },
	{ option: 'fileFieldName', value: 'audio', endpoints: sendingAudio },
	{ option: 'headers', value: {}, endpoints: undocumented },
	{ option: 'linkHours', value: 24, endpoints: returningFiles },
	{ option: 'otherFormats', value: 'send', endpoints: sendingAudio },
	{ option: 'outputFileName', value: 'greeting', endpoints: returningFiles },
	{ option: 'queryParameters', value: {}, endpoints: undocumented },
	{ option: 'sampleCheck', value: 'off', endpoints: findEndpoints('clone') },
	{ option: 'textFieldName', value: 'content', endpoints: sendingText },
	{ option: 'textOnly', value: true, endpoints: findEndpoints('speechToText') },
];

it.each(optionTable)(
	'n8n offers the option $option only where it has an effect',
	({ option, value, endpoints }) => {
		const shown = serviceEndpoints.filter(({ resource, operation }) => {
			const parameters = { resource, operation, options: { [option]: value } };
			return listUnknownParameters(parameters).length === 0;
		});
		expect(shown).toEqual(endpoints);
	},
);

/** Whether n8n shows this notice in the panel of a node. It adds 'Tool' to the name of a node that it offers to agents. */
function showsNotice(noticeName: string, name: string, operation: string, audioSource?: string) {
	const [notice] = properties.filter((property) => property.name === noticeName);
	const values = { resource: 'speech', operation, ...(audioSource && { audioSource }) };
	const node = { typeVersion: 1 } as INode;
	return NodeHelpers.displayParameter(values, notice!, node, { ...description, name });
}

it("only an agent's tool has notices about files: about those that it makes, and those that it cannot get", () => {
	expect(showsNotice('toolNotice', 'voiceSpeech', 'textToSpeech')).toBe(false);
	expect(showsNotice('toolNotice', 'voiceSpeechTool', 'textToSpeech')).toBe(true);
	expect(showsNotice('toolAudioNotice', 'voiceSpeech', 'speechToText', 'file')).toBe(false);
	expect(showsNotice('toolAudioNotice', 'voiceSpeechTool', 'speechToText', 'file')).toBe(true);
	expect(showsNotice('toolAudioNotice', 'voiceSpeechTool', 'speechToText', 'url')).toBe(false);
});

/** The node composes its properties, so the lint does not see their texts. */
describe("by n8n's rules for texts", () => {
	it('booleans start with "Whether", and placeholders with "e.g."', () => {
		const booleans = properties.filter(({ type }) => type === 'boolean');
		expect(booleans).not.toEqual([]);
		for (const { description: text } of booleans) expect(text).toMatch(/^Whether /);

		// The placeholder of a collection is the label of its button.
		const examples = properties
			.filter(({ type }) => !/collection/i.test(type))
			.flatMap(({ placeholder }) => placeholder || []);
		expect(examples).not.toEqual([]);
		for (const example of examples) expect(example).toMatch(/^e\.g\. /);
	});

	it('options of a collection are in alphabetical order', () => {
		const collections = properties.filter(({ type }) => type === 'collection');
		expect(collections).not.toEqual([]);
		for (const { options = [] } of collections) {
			const labels = options.filter(isProperty).map(({ displayName }) => displayName);
			expect(labels).not.toEqual([]);
			expect(labels).toEqual([...labels].sort((one, other) => one.localeCompare(other, 'en')));
		}
	});
});
