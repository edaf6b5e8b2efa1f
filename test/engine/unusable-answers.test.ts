import type { INodeParameters } from 'n8n-workflow';

import { apiKey, speak, speechToText, useNode } from '../support/node';
import { bytes, json, type Answer } from '../support/recorder';
import { wav } from '../support/recordings';

const node = useNode();

const html = '<!DOCTYPE html><html><title>Sign in</title></html>';

const pcm = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));

const next = "Check the credential's 'Base URL', then ask your provider.";

const maybePaid =
	"The call may have been debited: check the usage dashboard in the service's console before you send it again.";

interface Unusable {
	what: string;
	answer: Answer;
	/** What the error says that it found. */
	found: string;
	/** What it quotes, where that is legible. */
	begins?: string;
}

const noAudio: Unusable[] = [
	{
		what: 'JSON',
		answer: json({ audio: 'UklGRg==' }),
		found: 'JSON instead of audio',
		begins: '{"audio":"UklGRg=="}',
	},
	{
		what: 'HTML declared as audio',
		answer: bytes(html, 'audio/wav'),
		found: 'HTML instead of audio',
		begins: html,
	},
	{
		what: 'text',
		answer: bytes('Not\ttoday\n', 'text/plain'),
		found: 'something else instead of audio',
		begins: 'Not today',
	},
	{
		what: 'bytes without a header, declared as MP3',
		answer: bytes(pcm, 'audio/mpeg'),
		found: 'something else instead of audio',
	},
	{
		what: 'bytes without a type',
		answer: bytes(pcm, undefined),
		found: 'something else instead of audio',
	},
];

const noJson: Unusable[] = [
	{
		what: 'text',
		answer: bytes('hello there', 'text/plain'),
		found: 'something else instead of JSON',
		begins: 'hello there',
	},
	{
		what: 'HTML declared as JSON',
		answer: bytes(html, 'application/json'),
		found: 'HTML instead of JSON',
		begins: html,
	},
	{
		what: 'JSON that breaks off',
		answer: bytes('{"text":"hel', 'application/json'),
		found: 'incomplete or invalid data instead of JSON',
		begins: '{"text":"hel',
	},
	{
		what: 'audio',
		answer: bytes(wav(), 'audio/wav'),
		found: 'WAV instead of JSON',
	},
];

describe.each<[string, string, INodeParameters, Unusable[]]>([
	['text to speech', 'audio', speak, noAudio],
	['speech to text', 'JSON', speechToText, noJson],
	['voice cloning', 'JSON', { resource: 'voice', operation: 'clone', voiceName: 'Anna' }, noJson],
])('%s is an error without %s', (_what, due, parameters, cases) => {
	it.each(cases)('but $what', async ({ answer, found, begins }) => {
		node.service.answer = answer;
		const { error, items } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service returned ${found}`);
		const start = begins === undefined ? '' : `${begins}'. `;
		expect(error?.description).toContain(`${next} The response starts with '${start}`);
		expect(error?.description).toContain(maybePaid);
		expect(node.service.arrived).toBe(1);
	});

	it.each([
		['nothing', bytes('', 'audio/wav'), " Its Content-Type is 'audio/wav'."],
		['nothing, with status 204', bytes('', undefined, 204), ''],
	])('but %s', async (_case, answer, declared) => {
		node.service.answer = answer;
		const { error, items } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`The service returned an empty response instead of ${due}`);
		expect(error?.description).toBe(`${next}${declared} ${maybePaid}`);
	});

	it('that quotes no key', async () => {
		node.service.answer = bytes(`<html>${apiKey}</html>`, 'text/html');
		const { error, run } = await node.run(parameters);
		expect(error?.description).toContain("starts with '<html>eak_test_***</html>'");
		expect(JSON.stringify(run)).not.toContain(apiKey);
	});

	it('that quotes no more than the start', async () => {
		node.service.answer = bytes(`<p>${'ä'.repeat(100_000)}`, 'text/html');
		const { error } = await node.run(parameters);
		expect(error?.description).toContain(`starts with '<p>${'ä'.repeat(197)}…'.`);
	});
});
