import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';
import { findErrorTexts } from '../../dev/scripts/sourceTexts.mts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';

type Named = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** The names of a property, of its options, and of everything below it. */
function listNames(property: Named): string[] {
	const own = 'displayName' in property ? property.displayName : property.name;
	const values = 'values' in property ? property.values : [];
	const options = 'options' in property ? (property.options ?? []) : [];
	return [own, ...[...values, ...options].flatMap(listNames)];
}

const allProperties = [
	...new VoiceSpeech().description.properties,
	...new VoiceSpeechApi().properties,
];

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

it('error messages quote names that the panels have', () => {
	const quoted = findErrorTexts().flatMap(({ location, text }) =>
		[...text.matchAll(quotedName)].map(([, name = '']) => ({ location, name })),
	);
	expect(quoted.length).toBeGreaterThan(20);
	expect(quoted.filter(({ name }) => !names.has(name) && !namesOfN8n.has(name))).toEqual([]);
});
