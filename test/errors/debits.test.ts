import type { INodeParameters } from 'n8n-workflow';

import { analyzeText } from '../support/calls';
import { largeWav, speechToText, useNode, type Scene } from '../support/node';
import { n8n, useProtection } from '../support/n8n';
import { errorText, expectMaybeDebited, expectNothingDebited } from '../support/outcome';
import { isComplete, rawResponse, ScriptedServer, type RawAnswer } from '../support/scriptedServer';
import { expectNoKey, secretKey } from '../support/secret';

const node = useNode();

const plain = ScriptedServer.use();
const secure = ScriptedServer.use(undefined, { tls: true });

beforeEach(() => {
	plain.rawAnswer = () => {};
	secure.rawAnswer = () => {};
});

const payloads: Array<[string, INodeParameters]> = [
	['audio', speechToText],
	['text', { ...analyzeText, text: 'Hello' }],
];

/** A service name that only a proxy would look up. */
const behindProxy = 'https://voice.example';

const throughProxy = (server: ScriptedServer) => ({ requestOptions: { proxy: server.baseUrl } });

const trusting = { requestOptions: { allowUnauthorizedCerts: true } };

interface Fault {
	/** Sets the fault up, and gives the base URL. */
	baseUrl: () => string;
	more?: () => INodeParameters;
	scene?: Scene;
	/** What the error says, with n8n's own words. */
	says?: RegExp;
	/** Only the cause of the error proves that nothing was sent: older n8n drops it. */
	needsCause?: true;
}

async function fail({ baseUrl, more, scene }: Fault, parameters: INodeParameters): Promise<string> {
	const credential = { apiKey: secretKey, baseUrl: baseUrl() };
	const output = await node.run({ ...parameters, ...more?.() }, { ...scene, credential });
	expect(output.items).toEqual([]);
	expectNoKey(output.run);
	expect(node.service.arrived).toBe(0);
	return errorText(output);
}

/** A server without TLS that does this to each connection, behind `baseUrl`. */
const plainServer = (rawAnswer: RawAnswer, baseUrl: () => string) => () => {
	plain.rawAnswer = rawAnswer;
	return baseUrl();
};

const plainUrl = () => plain.baseUrl;
const tlsUrl = () => `https://localhost:${plain.port}`;

/** The same server as the proxy in front of a service. */
const brokenProxy = (rawAnswer: RawAnswer): Fault => ({
	baseUrl: plainServer(rawAnswer, () => behindProxy),
	more: () => throughProxy(plain),
});

const noSecret = {
	onAuthenticate: () => {
		throw new Error('The external secret is missing');
	},
};

const unsent: Record<string, Fault> = {
	'the connection is refused': {
		baseUrl: () => 'http://127.0.0.1:1',
		says: /^The service could not be reached Check the .* and the service\. .*ECONNREFUSED/,
	},
	'the host is unknown': {
		baseUrl: () => 'https://no-such-host.invalid',
		says: /^The host name of the .* was not found .*typo.*(ENOTFOUND|EAI_AGAIN)/,
	},
	'the certificate is refused': {
		baseUrl: () => secure.baseUrl,
		says: /^The service's certificate .*'Ignore SSL Issues \(Insecure\)'.*SELF_SIGNED/,
	},
	'the port speaks plain HTTP': {
		needsCause: true,
		baseUrl: plainServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), tlsUrl),
		says: /^The secure connection to the service failed .*need plain 'http:\/\/'/,
	},
	'the connection ends in the TLS handshake': {
		baseUrl: plainServer((socket) => socket.end(), tlsUrl),
		says: /^The secure connection to the service failed .*ECONNRESET/,
	},
	'the connection is reset in the TLS handshake': {
		needsCause: true,
		baseUrl: plainServer((socket) => socket.resetAndDestroy(), tlsUrl),
	},
	'the proxy is not there': {
		baseUrl: () => behindProxy,
		more: () => ({ requestOptions: { proxy: 'http://127.0.0.1:1' } }),
	},
	'the proxy closes before it responds to CONNECT': brokenProxy((socket) => socket.end()),
	'the proxy resets the connection before it responds to CONNECT': {
		needsCause: true,
		...brokenProxy((socket) => socket.resetAndDestroy()),
	},
	'the proxy closes in the middle of its response to CONNECT': brokenProxy((socket) =>
		socket.end('HTTP/1.1 20'),
	),
	'the proxy closes after its response to CONNECT': brokenProxy((socket) =>
		socket.end('HTTP/1.1 200 OK\r\n\r\n'),
	),
	'authenticate() refuses': {
		needsCause: true,
		baseUrl: () => node.service.baseUrl,
		scene: noSecret,
		says: /The external secret is missing/,
	},
};

describe.each(payloads)('%s: nothing was sent', (_payload, parameters) => {
	it.each(Object.entries(unsent))('%s', async (_what, fault) => {
		const text = await fail(fault, parameters);
		if (fault.says) expect(text).toMatch(fault.says);
		if (fault.needsCause && n8n.keepsCauses !== true) expectMaybeDebited(text);
		else expectNothingDebited(text);
	});
});

(n8n.ssrfProtection ? describe : describe.skip)("n8n's protection of internal addresses", () => {
	useProtection();

	it.each(['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]'])(
		'blocks the base URL, and its own advice is part of the error: %s',
		async (host) => {
			const baseUrl = () => node.service.baseUrl.replace('127.0.0.1', host);
			const text = await fail({ baseUrl }, speechToText);
			expectNothingDebited(text);
			expect(text).toMatch(/restricted IP address.*ask your n8n administrator to allowlist/);
		},
	);
});

/** After the handshake: no record that TLS would accept. */
const noRecords: Record<string, Buffer | string> = {
	'plain HTTP': 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n',
	'an alert that is not encrypted': Buffer.from([0x15, 3, 3, 0, 2, 2, 0x28]),
	'a record of another TLS version': Buffer.from([0x17, 3, 0, 0, 4, 1, 2, 3, 4]),
	'a record that cannot be decrypted': Buffer.from([0x17, 3, 3, 0, 20, ...Buffer.alloc(20, 7)]),
	'a record that is too long': Buffer.from([0x17, 3, 3, 0xff, 0xff, 1, 2, 3, 4]),
};

describe.each(payloads)('%s: everything was sent', (_payload, parameters) => {
	it.each(Object.entries(noRecords))('TLS breaks after the request: %s', async (_what, bytes) => {
		let wasWhole = false;
		secure.rawAnswer = (_socket, request, { tcp }) => {
			if (!isComplete(request)) return;
			wasWhole = true;
			tcp.write(bytes);
		};
		const text = await fail({ baseUrl: () => secure.baseUrl, more: () => trusting }, parameters);
		expect(wasWhole).toBe(true);
		expectMaybeDebited(text);
	});

	it.each<[string, Fault]>([
		// Without TLS and a proxy: test/errors/network.test.ts.
		[
			"'Answer Timeout (Seconds)'",
			{ baseUrl: plainUrl, more: () => ({ options: { answerTimeoutSeconds: 0.2 } }) },
		],
		[
			'the end of a proxy that got the request of an http base URL',
			{
				...brokenProxy(rawResponse('')),
				baseUrl: plainServer(rawResponse(''), () => 'http://a.internal'),
			},
		],
		[
			'a reset below TLS',
			{
				baseUrl: () => {
					secure.rawAnswer = (_socket, request, { tcp }) => {
						if (isComplete(request)) tcp.resetAndDestroy();
					};
					return secure.baseUrl;
				},
				more: () => trusting,
			},
		],
	])('%s comes instead of a response', async (_what, fault) => {
		expectMaybeDebited(await fail(fault, parameters));
	});
});

it.each(Object.entries(noRecords))(
	'TLS breaks in the middle of the upload: %s',
	async (_what, bytes) => {
		let received = 0;
		secure.rawAnswer = (_socket, request, { tcp }) => {
			if (received === 0 && request.length > 100_000) {
				received = request.length;
				tcp.write(bytes);
			}
		};
		const text = await fail(
			{
				baseUrl: () => secure.baseUrl,
				more: () => trusting,
				scene: { files: { data: largeWav() } },
			},
			speechToText,
		);
		expect(received).toBeGreaterThan(100_000);
		expectMaybeDebited(text);
	},
);
