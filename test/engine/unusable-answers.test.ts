import type { INodeParameters } from 'n8n-workflow';

import { apiKey, speak, speechToText, useNode } from '../support/node';
import { bytes, json, type Answer } from '../support/recorder';
import { wav } from '../support/recordings';

const node = useNode();

const html = '<!DOCTYPE html><html><title>Sign in</title></html>';

const pcm = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));

const maybePaid =
	"The call was accepted. The call may have been debited: look into the usage dashboard of the service's console before you send it again. The node does not repeat it by itself.";

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
		found: "JSON where audio was due, announced as 'application/json'",
		begins: '{"audio":"UklGRg=="}',
	},
	{
		what: 'HTML announced as audio',
		answer: bytes(html, 'audio/wav'),
		found: "HTML where audio was due, announced as 'audio/wav'",
		begins: html,
	},
	{
		what: 'text',
		answer: bytes('Not\ttoday\n', 'text/plain'),
		found: "something else where audio was due, announced as 'text/plain'",
		begins: 'Not today',
	},
	{
		what: 'bytes without a header, announced as MP3',
		answer: bytes(pcm, 'audio/mpeg'),
		found: "something else where audio was due, announced as 'audio/mpeg'",
	},
	{
		what: 'bytes without a type',
		answer: bytes(pcm, undefined),
		found: 'something else where audio was due',
	},
];

const noJson: Unusable[] = [
	{
		what: 'text',
		answer: bytes('hello there', 'text/plain'),
		found: "something else where JSON was due, announced as 'text/plain'",
		begins: 'hello there',
	},
	{
		what: 'HTML announced as JSON',
		answer: bytes(html, 'application/json'),
		found: "HTML where JSON was due, announced as 'application/json'",
		begins: html,
	},
	{
		what: 'JSON that breaks off',
		answer: bytes('{"text":"hel', 'application/json'),
		found: "something incomplete or invalid where JSON was due, announced as 'application/json'",
		begins: '{"text":"hel',
	},
	{
		what: 'audio',
		answer: bytes(wav(), 'audio/wav'),
		found: "WAV where JSON was due, announced as 'audio/wav'",
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
		expect(error?.message).toBe(`The service answered with ${found}`);
		expect(error?.description).toMatch(/^It begins: /);
		if (begins !== undefined) expect(error?.description).toContain(`: ${begins} — `);
		expect(error?.description).toContain(maybePaid);
		expect(node.service.arrived).toBe(1);
	});

	it.each([
		['nothing', bytes('', 'audio/wav'), ", announced as 'audio/wav'"],
		['nothing, with status 204', bytes('', undefined, 204), ''],
	])('but %s', async (_case, answer, announced) => {
		node.service.answer = answer;
		const { error, items } = await node.run(parameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(
			`The service answered with nothing where ${due} was due${announced}`,
		);
		expect(error?.description).toBe(maybePaid);
	});

	it('that quotes no key', async () => {
		node.service.answer = bytes(`<html>${apiKey}</html>`, 'text/html');
		const { error, run } = await node.run(parameters);
		expect(error?.description).toContain('It begins: <html>eak_test_***</html>');
		expect(JSON.stringify(run)).not.toContain(apiKey);
	});

	it('that quotes no more than the beginning', async () => {
		node.service.answer = bytes(`<p>${'ä'.repeat(100_000)}`, 'text/html');
		const { error } = await node.run(parameters);
		expect(error?.description).toContain(`It begins: <p>${'ä'.repeat(197)}… — `);
	});
});
