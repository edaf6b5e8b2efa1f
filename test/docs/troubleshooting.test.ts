import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { read } from '../package/repository';
import { messages } from '../support/faults';

const page = read('docs/troubleshooting.md').replace(/`/g, '').replace(/\s+/g, ' ');

const { properties, test } = new VoiceSpeechApi();
/** What the credential shows: the messages of its test, and the notices about the key. */
const credentialTexts = [
	...test.rules!.map(({ properties: { message } }) => message),
	...properties.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName),
];

it('docs/troubleshooting.md lists every message about a fault of the network', () => {
	const missing = Object.values(messages).filter((message) => !page.includes(message));
	expect(missing).toEqual([]);
});

it('docs/troubleshooting.md lists every text of the credential', () => {
	const starts = credentialTexts.map((text) => text.split(/[.(:]| with /)[0]!.trim());
	expect(starts.filter((start) => !page.includes(`**${start}`))).toEqual([]);
});
