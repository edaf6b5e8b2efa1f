import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';
import { findErrorTexts, findSentences } from '../../dev/scripts/sourceTexts.mts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';

const all = findSentences('nodes', 'credentials');

/** All texts of the files that contain only texts of errors, and of audio/, which also has warnings and format names. */
const errors = findSentences('nodes/VoiceSpeech/errors', 'nodes/VoiceSpeech/audio').concat(
	all.filter(({ location }) => /^credentials\/(apiKey|baseUrl)/.test(location)),
);

type Named = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** The names of a property, of its options, and of everything below it. */
function listNames(property: Named): string[] {
	const own = 'displayName' in property ? property.displayName : property.name;
	const values = 'values' in property ? property.values : [];
	const options = 'options' in property ? (property.options ?? []) : [];
	return [own, ...[...values, ...options].flatMap(listNames)];
}

function listLabels(properties: Array<INodeProperties | INodePropertyCollection>): string[] {
	return properties.flatMap((property) => [
		...('type' in property && property.type === 'notice' ? [] : [property.displayName]),
		...('values' in property ? listLabels(property.values) : []),
		...('options' in property
			? listLabels((property.options ?? []).filter((option) => 'displayName' in option))
			: []),
	]);
}

const allProperties = [
	...new VoiceSpeech().description.properties,
	...new VoiceSpeechApi().properties,
];

const labels = [...new Set(listLabels(allProperties))].filter((label) => label.includes(' '));

/** Every name that a user can see in a panel: labels, and the options of menus. */
const names = new Set(allProperties.flatMap(listNames));

/** What messages quote of n8n: nodes, settings, request options, and the tab of an output. */
const namesOfN8n = new Set([
	'Continue (using error output)',
	'Convert to File',
	'Edit Fields',
	'Fields To Split Out',
	'File',
	'HTTP Request',
	'Move Base64 String to File',
	'On Error',
	'Proxy',
	'Response Format',
	'Table',
	'Timeout',
	'Voice and Speech',
]);

/** A name in single quotes. A quote next to a word or to an inserted value is an apostrophe, or quotes that value. */
const quotedName = /(?<![\w}…])'([A-Z][\w ()]*[\w)])'(?!\w)/g;

it('finds the texts and the labels that the other tests judge', () => {
	expect(all.length).toBeGreaterThan(100);
	expect(errors.length).toBeGreaterThan(20);
	expect(labels.length).toBeGreaterThan(20);
});

it('error messages put the names of parameters in single quotes', () => {
	const bare = errors.filter(({ text }) =>
		labels.some((label) =>
			text.replaceAll(`'${label}'`, '').replaceAll(`'${label}:`, '').includes(label),
		),
	);
	expect(bare).toEqual([]);
});

it('error messages quote names that the panels have', () => {
	const quoted = findErrorTexts().flatMap(({ location, text }) =>
		[...text.matchAll(quotedName)].map(([, name = '']) => ({ location, name })),
	);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter(({ name }) => !names.has(name) && !namesOfN8n.has(name))).toEqual([]);
});
