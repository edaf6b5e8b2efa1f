import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials.ts';
import { findErrorTexts, isMessage } from '../../dev/scripts/sourceTexts.mts';
import { readRepositoryFile } from '../support/repository.mts';

const page = readRepositoryFile('docs/troubleshooting.md').replace(/`/g, '').replace(/\s+/g, ' ');

const { properties, test } = new VoiceSpeechApi();
/** What the credential shows: the messages of its test, and the notices about the key. */
const credentialTexts = [
	...test.rules!.map(({ properties: { message } }) => message),
	...properties.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName),
];

/** Files whose texts are parts of a message: names of formats and codecs. */
const namesFormats = /audio\/(format|codecs|headers\/|isobmff\/)/;

/** The parts of a message between its inserted values, without those that are too short to be found. */
function splitAtValues(message: string): string[] {
	const parts = message.split('…').map((part) => part.replace(/^[' ]+|[' (]+$/g, ''));
	return parts.filter((part) => part.length > 8);
}

it('docs/troubleshooting.md lists every message of an error', () => {
	const messages = findErrorTexts()
		.filter(({ location, text }) => isMessage(text) && !namesFormats.test(location))
		.map(({ text }) => text);
	expect(messages.length).toBeGreaterThan(60);
	const missing = messages.filter((text) =>
		splitAtValues(text).some((part) => !page.includes(part)),
	);
	expect(missing).toEqual([]);
});

it('docs/troubleshooting.md lists every text of the credential', () => {
	const starts = credentialTexts.map((text) => text.split(/[.(:]| with /)[0]!.trim());
	expect(starts.filter((start) => !page.includes(`**${start}`))).toEqual([]);
});

it('docs/how-to.md quotes messages as docs/troubleshooting.md lists them', () => {
	const howTo = readRepositoryFile('docs/how-to.md');
	const quoted = [...howTo.matchAll(/\*\*"?([^*"]+ \(\d{3}\))/g)].map(([, message]) => message!);
	expect(quoted).not.toEqual([]);
	expect(quoted.filter((message) => !page.includes(`**${message}`))).toEqual([]);
});
