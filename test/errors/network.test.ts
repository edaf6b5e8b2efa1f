/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import type { INodeParameters } from 'n8n-workflow';
import { gzipSync } from 'node:zlib';

import { n8n } from '../support/n8n';
import { callWav, speak, speechToText, useNode, type Scene } from '../support/node';
import { rawResponse, ScriptedServer, type RawAnswer } from '../support/scriptedServer';
import { mp3 } from '../support/recordings';
import { expectNoKey, secretKey } from '../support/secret';

const node = useNode();

const nothing = 'Nothing was sent, so nothing was debited.';
const maybe = 'The call may have been debited';

let plain: ScriptedServer;
let secure: ScriptedServer;

beforeAll(async () => {
	plain = await ScriptedServer.start();
	secure = await ScriptedServer.start(undefined, { tls: true });
});

afterAll(async () => await Promise.all([plain.stop(), secure.stop()]));

beforeEach(() => {
	plain.connections = 0;
});

async function fail(baseUrl: string, parameters: INodeParameters, scene: Scene = {}) {
	const credential = { apiKey: secretKey, baseUrl };
	const output = await node.run(parameters, { ...scene, credential });
	expect(output.items).toEqual([]);
	expectNoKey(output.run);
	const { message, description } = output.error ?? {};
	return { message, description };
}

async function failAfter(rawAnswer: RawAnswer, parameters: INodeParameters, scene?: Scene) {
	plain.rawAnswer = rawAnswer;
	const error = await fail(`http://127.0.0.1:${plain.port}`, parameters, scene);
	// Whatever it was: a call that may have been debited is not made a second time.
	expect(plain.connections).toBe(1);
	return error;
}

describe('nothing was sent', () => {
	it.each<[string, () => string, string, RegExp]>([
		[
			'refused',
			() => 'http://127.0.0.1:1',
			'The service could not be reached',
			/^Check the credential's 'Base URL', that the service is running, and the firewall between n8n and the service\. .*ECONNREFUSED/,
		],
		[
			'no such name',
			() => 'https://no-such-host.invalid',
			"The host name of the credential's 'Base URL' was not found",
			/typo.*(ENOTFOUND|EAI_AGAIN)/,
		],
		[
			'a certificate that nobody signed',
			() => `https://localhost:${secure.port}`,
			"The service's certificate could not be verified",
			/turn on 'Ignore SSL Issues \(Insecure\)' in the request options\. .*SELF_SIGNED/,
		],
		[
			'no TLS at the port',
			() => {
				plain.rawAnswer = (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
				return `https://localhost:${plain.port}`;
			},
			'The secure connection to the service failed',
			/need plain 'http:\/\/'/,
		],
		[
			'cut off before TLS',
			() => {
				plain.rawAnswer = (socket) => socket.end();
				return `https://localhost:${plain.port}`;
			},
			'The secure connection to the service failed',
			/ECONNRESET/,
		],
	])('%s', async (what, baseUrl, message, whatNext) => {
		const error = await fail(baseUrl(), speechToText);
		expect(error.message).toBe(message);
		expect(error.description).toMatch(whatNext);
		// Only the cause proves that this request never left n8n: test/errors/debits.test.ts.
		const isProven = what !== 'no TLS at the port' || n8n.keepsCauses === true;
		expect(error.description).toContain(isProven ? nothing : maybe);
		expect(error.description).not.toContain(isProven ? maybe : nothing);
	});
});

const head = (more: string) => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${more}\r\n`;

const zipped = gzipSync('{"text":"hello, hello, hello, hello"}');

const broke = 'The connection broke before the response was complete';

interface Fault {
	what: string;
	rawAnswer: RawAnswer;
	message: string;
	parameters?: INodeParameters;
}

const faults: Fault[] = [
	{ what: 'a reset instead of a response', rawAnswer: rawResponse('', 'reset'), message: broke },
	{ what: 'an end instead of a response', rawAnswer: rawResponse(''), message: broke },
	{
		what: 'a reset in the status line',
		rawAnswer: rawResponse('HTTP/1.', 'reset'),
		message: broke,
	},
	{
		what: 'an end in the headers',
		rawAnswer: rawResponse('HTTP/1.1 200 OK\r\nConte'),
		message: broke,
	},
	{
		what: 'an end before the body',
		rawAnswer: rawResponse(head('Content-Length: 9\r\n')),
		message: broke,
	},
	{
		what: 'less body than announced',
		rawAnswer: rawResponse(`${head('Content-Length: 99\r\n')}{"text":"hello"}`),
		message: broke,
	},
	{
		what: 'less audio than announced',
		rawAnswer: rawResponse(
			Buffer.concat([
				Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 99999\r\n\r\n'),
				mp3(100),
			]),
		),
		message: broke,
		parameters: speak,
	},
	{
		what: 'a reset in the audio',
		rawAnswer: rawResponse(
			Buffer.concat([
				Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 99999\r\n\r\n'),
				mp3(100),
			]),
			'reset',
		),
		message: broke,
		parameters: speak,
	},
	{
		what: 'a chunk that is shorter than it says',
		rawAnswer: rawResponse(`${head('Transfer-Encoding: chunked\r\n')}ff\r\n{"text":"hello"}`),
		message: broke,
	},
	{
		what: 'no last chunk',
		rawAnswer: rawResponse(`${head('Transfer-Encoding: chunked\r\n')}10\r\n{"text":"hello"}\r\n`),
		message: broke,
	},
	{
		what: 'a chunk without a length',
		rawAnswer: rawResponse(`${head('Transfer-Encoding: chunked\r\n')}zz\r\n{"text":"hello"}\r\n`),
		message: broke,
	},
	{
		what: 'something that is not HTTP',
		rawAnswer: rawResponse('SSH-2.0-OpenSSH_9.2\r\n'),
		message: 'The service returned something that is not valid HTTP',
	},
	{
		what: 'a compressed response that ends early',
		rawAnswer: rawResponse(
			Buffer.concat([
				Buffer.from(head('Content-Encoding: gzip\r\nConnection: close\r\n')),
				zipped.subarray(0, -10),
			]),
		),
		message: 'The service returned incomplete or invalid data instead of JSON',
	},
	{
		what: 'a compressed response that is not compressed',
		rawAnswer: rawResponse(head('Content-Encoding: gzip\r\nContent-Length: 9\r\n') + '123456789'),
		message: 'The compressed response is damaged or incomplete',
	},
];

describe('the call may have been debited', () => {
	it.each(faults)('$what', async ({ rawAnswer, message, parameters }) => {
		const error = await failAfter(rawAnswer, parameters ?? speechToText);
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

/** Larger than what the system takes off our hands for a socket. */
const large = { data: { ...callWav, bytes: Buffer.concat([callWav.bytes, Buffer.alloc(12e6)]) } };

describe('while the recording is still being sent', () => {
	const early =
		'HTTP/1.1 413 Payload Too Large\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"message":"at 1 MB"}'.slice(
			0,
			-1,
		);

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
	expect(description).toContain('top it up');
});

it('a refusal that goes on and on is not waited for', async () => {
	const answer = `HTTP/1.1 413 No\r\nContent-Length: 9999999\r\n\r\n${'é'.repeat(40_000)}`;
	const { message } = await failAfter(rawResponse(answer, 'keep'), speechToText);
	// Cut where a character is whole, and short enough to be read.
	expect(message).toBe(`The request is too large for the service (413): ${'é'.repeat(500)}…`);
});
