// Prints the texts that users of the node see, to be read in one sitting: `npm run docs -- --texts`. Each line has
// the kind of the text, its location (the path of a parameter, or a file), and the text.
import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';
import { VoiceSpeech } from '../../nodes/VoiceSpeech/VoiceSpeech.node.ts';
import { findErrorTexts, isMessage } from './sourceTexts.mts';

/** The texts of an entry, besides its name. */
const kinds = ['description', 'action', 'placeholder', 'hint'] as const;

/** A parameter, a group of fields in it, or one of its choices. */
interface Entry extends Partial<Record<(typeof kinds)[number] | 'type' | 'displayName', string>> {
	name: string;
	/** Only a choice has one. */
	value?: string | number | boolean;
	options?: Entry[];
	values?: Entry[];
}

/** Several operations may have the same parameter, but a set has each line once. */
const lines: Set<string> = new Set();

function add(kind: string, location: string, text: string | undefined) {
	if (text) lines.add(`${kind.padEnd(11)} ${location}: ${text}`);
}

/** @param path of what contains the entry, such as `options.`; empty if nothing does */
function addEntry(entry: Entry, path: string = '') {
	const isChoice = entry.value !== undefined;
	const location = isChoice ? `${path.slice(0, -1)}=${entry.value}` : `${path}${entry.name}`;
	add('option', location, isChoice ? entry.name : undefined);
	add(entry.type === 'notice' ? 'notice' : 'label', location, entry.displayName);
	for (const kind of kinds) add(kind, location, entry[kind]);
	for (const inner of [...(entry.options ?? []), ...(entry.values ?? [])]) {
		addEntry(inner, `${location}.`);
	}
}

const node = new VoiceSpeech();
add('label', 'node', node.description.displayName);
add('description', 'node', node.description.description);
add('subtitle', 'node', node.description.subtitle);
for (const property of node.description.properties) addEntry(property);

const credential = new VoiceSpeechApi();
add('label', 'credential', credential.displayName);
for (const property of credential.properties) addEntry(property, 'credential.');
for (const { properties } of credential.test.rules ?? []) {
	add('test', 'credential.test', properties.message.replace(/\d{3}/, '…'));
}

for (const { location, text } of findErrorTexts()) {
	add(isMessage(text) ? 'message' : 'advice', location, text);
}

for (const line of lines) console.log(line);
