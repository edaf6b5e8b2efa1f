import { VoiceSpeechApi } from '../../credentials/VoiceSpeechApi.credentials';
import { errorTexts, isMessage } from '../../dev/scripts/source-texts.cjs';
import { read } from '../package/repository';

const page = read('docs/troubleshooting.md').replace(/`/g, '').replace(/\s+/g, ' ');

/** The fixed parts of a text; `…` stands for what is inserted at run time. */
const partsOf = (text: string) =>
	text
		.split('…')
		.map((part) => part.trim())
		.filter((part) => /\w+ \w+/.test(part));

const messages = errorTexts().filter(({ text }) => isMessage(text));

const { properties, test } = new VoiceSpeechApi();
/** What the credential shows: the messages of its test, and the notices about the key. */
const credentialTexts = [
	...test.rules!.map((rule) => rule.properties.message),
	...properties.filter(({ type }) => type === 'notice').map(({ displayName }) => displayName),
];

describe('docs/troubleshooting.md', () => {
	it('docs/troubleshooting.md lists every message of the node', () => {
		const missing = messages.filter(
			({ text }) => !partsOf(text).every((part) => page.includes(part)),
		);
		expect(missing).toEqual([]);
	});

	it('docs/troubleshooting.md lists every text of the credential', () => {
		const starts = credentialTexts.map((text) => text.split(/[.(:]| with /)[0]!.trim());
		expect(starts.filter((start) => !page.includes(`**${start}`))).toEqual([]);
	});

	it('docs/troubleshooting.md lists nothing else', () => {
		const patterns = [...messages.map(({ text }) => text), ...credentialTexts].map((text) => {
			const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
			return new RegExp(`^${parts.join('.*')}`);
		});
		const listed = [...read('docs/troubleshooting.md').matchAll(/^\| \*\*(.+?)\*\*/gm)];
		expect(listed.length).toBeGreaterThan(50);
		const others = listed
			.map(([, text = '']) => text.replace(/`/g, ''))
			.filter((text) => !patterns.some((pattern) => pattern.test(text)))
			.filter((text) => !credentialTexts.some((one) => one.startsWith(text.replace(/ ?…$/, ''))));
		// A text of n8n.
		expect(others).toEqual(['… restricted IP address']);
	});
});
