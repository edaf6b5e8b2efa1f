// Prints every text that users of the node see, to be read in one sitting: `npm run texts`. Each line has the kind of
// the text, its location (the path of a parameter, or a file), and the text. The counts of each kind follow.
import { createRequire } from 'node:module';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import './prepare.mts';
import { errorTexts, isMessage } from './sourceTexts.mts';

type Property = INodeProperties;

type Choice = INodePropertyOptions;

const load = createRequire(import.meta.url);
const { VoiceSpeech } = load('../../dist/nodes/VoiceSpeech/VoiceSpeech.node.js');
const { VoiceSpeechApi } = load('../../dist/credentials/VoiceSpeechApi.credentials.js');

/** Each line once: several operations may have the same parameter. */
const kindOfLine: Map<string, string> = new Map();

function add(kind: string, location: string, text: string | undefined) {
	if (text) kindOfLine.set(`${kind.padEnd(11)} ${location}: ${text}`, kind);
}

function addChoice({ name, description, action }: Choice, location: string) {
	add('option', location, name);
	add('description', location, description);
	add('action', location, action);
}

function addProperty(property: Property, parent: string = '') {
	const { displayName, type, description, placeholder, hint } = property;
	const location = `${parent}${property.name}`;
	add(type === 'notice' ? 'notice' : 'label', location, displayName);
	add('description', location, description);
	add('placeholder', location, placeholder);
	add('hint', location, hint);
	for (const option of property.options ?? []) {
		const path = `${location}.${option.name}`;
		if ('values' in option) {
			add('label', path, option.displayName);
			for (const value of option.values) addProperty(value, `${path}.`);
		} else if ('type' in option) addProperty(option, `${location}.`);
		else addChoice(option, `${location}=${option.value}`);
	}
}

const node = new VoiceSpeech();
add('label', 'node', node.description.displayName);
add('description', 'node', node.description.description);
add('subtitle', 'node', node.description.subtitle);
for (const property of node.description.properties) addProperty(property);

const credential = new VoiceSpeechApi();
add('label', 'credential', credential.displayName);
for (const property of credential.properties) addProperty(property, 'credential.');
for (const { properties } of credential.test.rules) {
	add('test', 'credential.test', properties.message.replace(/\d{3}/, '…'));
}

for (const { location, text } of errorTexts())
	add(isMessage(text) ? 'message' : 'advice', location, text);

const counts: Record<string, number> = {};
for (const [line, kind] of kindOfLine) {
	process.stdout.write(`${line}\n`);
	counts[kind] = (counts[kind] ?? 0) + 1;
}
const totals = Object.entries({ ...counts, total: kindOfLine.size });
process.stdout.write(`\n${totals.map(([kind, count]) => `${kind} ${count}`).join(', ')}\n`);
