/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { INodeParameters } from 'n8n-workflow';
import { gzipSync } from 'node:zlib';

import { largeWav, speak, speechToText, useNode, type Scene } from '../support/node';
import { rawResponse, ScriptedServer, type RawAnswer } from '../support/scriptedServer';
import { mp3 } from '../support/recordings';
import { expectNoKey, secretKey } from '../support/secret';

const node = useNode();

const nothing = 'Nothing was sent, so nothing was debited.';
const maybe = 'The call may have been debited';

const plain = ScriptedServer.use();

async function failAfter(rawAnswer: RawAnswer, parameters: INodeParameters, scene: Scene = {}) {
	plain.rawAnswer = rawAnswer;
	const credential = { apiKey: secretKey, baseUrl: plain.baseUrl };
	const output = await node.run(parameters, { credential, ...scene });
	expect(output.items).toEqual([]);
	expectNoKey(output.run);
	// Whatever it was: a call that may have been debited is not made a second time.
	expect(plain.connections).toBe(1);
	const { message, description } = output.error ?? {};
	return { message, description };
}

const head = (more: string) => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${more}\r\n`;

const zipped = gzipSync('{"text":"hello, hello, hello, hello"}');

const broke = 'The connection broke before the response was complete';

const incomplete = head('Content-Length: 99\r\n');
const chunks = head('Transfer-Encoding: chunked\r\n');
const gzip = head('Content-Encoding: gzip\r\nConnection: close\r\n');
const partOfAudio = Buffer.concat([
	Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 99999\r\n\r\n'),
	mp3(100),
]);
const notHttp = 'The service returned something that is not valid HTTP';
const notJson = 'The service returned incomplete or invalid data instead of JSON';
const damaged = 'The compressed response is damaged or incomplete';

const faults: Array<[what: string, rawAnswer: RawAnswer, message: string, INodeParameters?]> = [
	['a reset instead of a response', rawResponse('', 'reset'), broke],
	['an end instead of a response', rawResponse(''), broke],
	['a reset in the status line', rawResponse('HTTP/1.', 'reset'), broke],
	['an end in the headers', rawResponse('HTTP/1.1 200 OK\r\nConte'), broke],
	['an end before the body', rawResponse(incomplete), broke],
	['less body than announced', rawResponse(`${incomplete}{"text":"hello"}`), broke],
	['less audio than announced', rawResponse(partOfAudio), broke, speak],
	['a reset in the audio', rawResponse(partOfAudio, 'reset'), broke, speak],
	['a chunk that is too short', rawResponse(`${chunks}ff\r\n{"text":"hello"}`), broke],
	['no last chunk', rawResponse(`${chunks}10\r\n{"text":"hello"}\r\n`), broke],
	['a chunk without a length', rawResponse(`${chunks}zz\r\n{"text":"hello"}\r\n`), broke],
	['something that is not HTTP', rawResponse('SSH-2.0-OpenSSH_9.2\r\n'), notHttp],
	[
		'a compressed response that ends early',
		rawResponse(Buffer.concat([Buffer.from(gzip), zipped.subarray(0, -10)])),
		notJson,
	],
	['a compressed response that is not compressed', rawResponse(`${gzip}123456789`), damaged],
];

describe('the call may have been debited', () => {
	it.each(faults)('%s', async (_what, rawAnswer, message, parameters = speechToText) => {
		const error = await failAfter(rawAnswer, parameters);
		expect(error.message).toBe(message);
		expect(error.description).toContain(maybe);
		expect(error.description).not.toContain(nothing);
	});

	it("no response within n8n's own 'Timeout'", async () => {
		const parameters = { ...speechToText, requestOptions: { timeout: 150 } };
		const error = await failAfter(() => {}, parameters);
		expect(error.message).toBe(
			"The service did not respond within the 'Timeout' of the request options",
		);
		expect(error.description).toContain(maybe);
	});
});

const large = { data: largeWav() };

describe('while the recording is still being sent', () => {
	const early = `HTTP/1.1 413 Payload Too Large\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"message":"at 1 MB"`;

	it('an early refusal arrives, where the service goes on reading', async () => {
		let answered = false;
		const rawAnswer: RawAnswer = (socket) => {
			if (!answered) socket.write(early);
			answered = true;
		};
		const { message } = await failAfter(rawAnswer, speechToText, { files: large });
		expect(message).toContain('The request is too large for the service (413)');
	});

	it.each(['end', 'reset'])('an early refusal, and then %s', async (how) => {
		const rawAnswer: RawAnswer = (socket) => {
			socket.pause();
			if (how === 'end') socket.end(early);
			else socket.write(early, () => socket.resetAndDestroy());
		};
		const { message, description } = await failAfter(rawAnswer, speechToText, { files: large });
		expect(message).toMatch(
			/too large .*\(413\)|closed the connection during the upload|The connection broke/,
		);
		expect(/413/.test(message ?? '') || description?.includes(maybe)).toBe(true);
	});

	it('an end without a word', async () => {
		const rawAnswer: RawAnswer = (socket) => socket.destroy();
		const { message, description } = await failAfter(rawAnswer, speechToText, { files: large });
		expect(message).toMatch(/closed the connection during|The connection broke before/);
		expect(description).toContain(maybe);
	});
});

it('the reason of a refusal stays where its body breaks off', async () => {
	const answer =
		'HTTP/1.1 402 No\r\nContent-Length: 999\r\n\r\nNo credits for ' + secretKey.slice(0, 15);
	const { message, description } = await failAfter(rawResponse(answer), speechToText);
	expect(message).toBe(
		'The sandbox wallet has no credits left for this call (402): No credits for eak_test_***',
	);
	expect(description).toContain('it needs more credits');
});

it('a refusal that goes on and on is not waited for', async () => {
	const answer = `HTTP/1.1 413 No\r\nContent-Length: 9999999\r\n\r\n${'é'.repeat(40_000)}`;
	const { message } = await failAfter(rawResponse(answer, 'keep'), speechToText);
	// Cut where a character is whole, and short enough to be read.
	expect(message).toBe(`The request is too large for the service (413): ${'é'.repeat(500)}…`);
});

/** The status of a proxy's response to CONNECT has a way of its own through n8n's client. */
it.each(['http://voice.internal', 'https://voice.example'])(
	'a proxy that wants a login is named, for %s',
	async (baseUrl) => {
		const answer =
			'HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm="a"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
		// A CONNECT has no body, and nothing after its headers.
		const isTunnel = baseUrl.startsWith('https');
		const rawAnswer: RawAnswer = isTunnel ? (socket) => socket.end(answer) : rawResponse(answer);
		const credential = { apiKey: secretKey, baseUrl };
		const proxied = { ...speechToText, requestOptions: { proxy: plain.baseUrl } };
		const { message, description } = await failAfter(rawAnswer, proxied, { credential });
		expect(message).toContain('The proxy requires a login (407)');
		expect(description).toContain("Put the user name and password into 'Proxy'");
		expect(description).not.toMatch(/ask your provider/i);
	},
);
