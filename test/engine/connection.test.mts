import type { INodeParameters } from 'n8n-workflow';
import dns from 'node:dns';
import type { Socket } from 'node:net';

import { maxErrorBodyBytes, maxSentenceLength } from '../../nodes/VoiceSpeech/limits.ts';
import { createMp3 } from '../support/media/recordings.mts';
import { n8n, useSsrfProtection } from '../support/n8n.mts';
import { callWav, createLargeWav, useNode } from '../support/node.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import {
	readErrorText,
	expectMaybeDebited,
	expectNothingDebited,
	maybeDebited,
} from '../support/outcome.mts';
import { expectNoKey, secretKey } from '../support/secret.mts';
import {
	isComplete,
	respondWithRawBytes,
	RawServer,
	type RawResponder,
} from '../support/servers/rawServer.mts';
import { settleAll } from '../support/waiting.mts';

// test/weekly/faults tests responses that break off at many offsets, and test/engine/responses compressed responses.

const node = useNode();
const plain = RawServer.use();
const secure = RawServer.use({ tls: true });
const large = createLargeWav();

afterEach(() => jest.restoreAllMocks());

/** Runs a call that fails, and expects no part of the key in what n8n saves of it. */
async function fail(baseUrl: string, parameters: INodeParameters, file = callWav) {
	const credential = { apiKey: secretKey, baseUrl };
	const output = await node.run(parameters, { credential, files: { data: file } });
	expect(output.items).toEqual([]);
	expectNoKey(output.run);
	return { message: output.error?.message, text: readErrorText(output) };
}

/** The server is the service. */
async function failAfter(
	respond: RawResponder,
	parameters: INodeParameters = speechToTextParameters,
	{ server = plain, file = callWav } = {},
) {
	server.respond = respond;
	const failure = await fail(server.baseUrl, parameters, file);
	// The node never retries a call that may have been debited.
	expect(server.connections).toBe(1);
	return failure;
}

/** The server is a proxy, which sends this and ends. A CONNECT for https has no body, and nothing after its headers. */
async function failThroughProxy(bytes: string, baseUrl: string) {
	plain.respond = baseUrl.startsWith('https')
		? (socket) => socket.end(bytes)
		: respondWithRawBytes(bytes);
	const requestOptions = { proxy: plain.baseUrl };
	const failure = await fail(baseUrl, { ...speechToTextParameters, requestOptions });
	expect(plain.connections).toBe(1);
	return failure;
}

const partOfAudio = Buffer.concat([
	Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 99999\r\n\r\n'),
	createMp3(100),
]);

const broke = 'The connection broke before the response was complete';
const notHttp = 'The service returned something that is not valid HTTP';
const tooLate = "The service did not respond within the 'Timeout' of the request options";

it.each<[what: string, shown: string, respond: RawResponder, parameters?: INodeParameters]>([
	['a reset instead of a response', broke, respondWithRawBytes('', 'reset')],
	[
		'a reset in the audio',
		broke,
		respondWithRawBytes(partOfAudio, 'reset'),
		textToSpeechParameters,
	],
	['something that is not HTTP', notHttp, respondWithRawBytes('SSH-2.0-OpenSSH_9.2\r\n')],
])('says that a call may have been debited after %s: "%s"', async (...row) => {
	const [, shown, ...call] = row;
	const { message, text } = await failAfter(...call);
	expect(message).toBe(shown);
	expectMaybeDebited(text);
});

/** Sends a status that is not a response again and again. */
const floodWith102: RawResponder = (socket, request) => {
	if (!isComplete(request)) return;
	const bytes = 'HTTP/1.1 102 Processing\r\nLink: </a>\r\n\r\n'.repeat(100);
	const timer = setInterval(() => socket.write(bytes), 10);
	socket.once('close', () => clearInterval(timer));
};

const timeout = 'Timeout';
const responseTimeout = 'Response Timeout (Seconds)';

it.each<[what: string, limit: string, respond: RawResponder]>([
	// After it, n8n's client has neither a response nor an error, and its own 'Timeout' does not apply any more.
	[
		'a switch to another protocol (101)',
		timeout,
		respondWithRawBytes(
			'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n',
			'keep',
		),
	],
	['102 again and again', responseTimeout, floodWith102],
	[
		'headers that do not end',
		responseTimeout,
		respondWithRawBytes('HTTP/1.1 200 OK\r\nX-A: 1\r\n', 'keep'),
	],
])("a call to a service that sends %s is stopped by '%s'", async (_, limit, respond) => {
	const { message, text } = await failAfter(respond, {
		...speechToTextParameters,
		// n8n counts from the start of the request, which a busy machine may delay.
		requestOptions: { timeout: limit === timeout ? 2_000 : 0 },
		options: { responseTimeoutSeconds: limit === timeout ? 0 : 0.5 },
	});
	const inTime = 'The service did not respond within 0.5 seconds after the upload';
	expect(message).toBe(limit === timeout ? tooLate : inTime);
	expectMaybeDebited(text);
});

it('says that a call may have been debited if a proxy closes after it got the request to an http base URL', async () => {
	const { text } = await failThroughProxy('', 'http://a.internal');
	expectMaybeDebited(text);
});

it.each([
	// What the server sends after the handshake. TLS does not accept it as a record.
	['plain HTTP', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n', large],
	['a reset', '', callWav],
])('a call whose TLS breaks with %s may have been debited', async (_, bytes, file) => {
	let received = 0;
	const respond: RawResponder = (_socket, request, { tcp }) => {
		const isDue = isComplete(request) || request.length > 100_000;
		if (received > 0 || !isDue) return;
		received = request.length;
		if (bytes === '') tcp.resetAndDestroy();
		else tcp.write(bytes);
	};
	const requestOptions = { allowUnauthorizedCerts: true };
	const trusting = { ...speechToTextParameters, requestOptions };
	const { text } = await failAfter(respond, trusting, { server: secure, file });
	expectMaybeDebited(text);
	expect(received).toBeGreaterThan(0);
});

const early = `HTTP/1.1 413 Payload Too Large\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"message":"at 1 MB"`;

/** Fails a large upload that the service stops reading when its first bytes have arrived, and ends in this way. */
async function failUpload(end: (socket: Socket) => void) {
	const respond: RawResponder = (socket) => {
		socket.pause();
		end(socket);
	};
	return await failAfter(respond, undefined, { file: large });
}

const uploadBroke = /closed the connection during the upload|The connection broke/;

const reset = (socket: Socket) => socket.resetAndDestroy();

// test/credits/failures.test.mts tests a service that continues to read.
describe.each<[ending: string, end: (socket: Socket) => void, breakOff: (socket: Socket) => void]>([
	['ends', (socket) => socket.end(), (socket) => socket.destroy()],
	['resets', reset, reset],
])('if the service %s the connection during the upload,', (_, end, breakOff) => {
	it('an error quotes a refusal that arrived before', async () => {
		const { message, text } = await failUpload(async (socket) => {
			socket.write(early);
			// No event shows that the node has read the refusal.
			await settleAll();
			end(socket);
		});
		expect(message).toContain('(413)');
		expect(text).toContain('Whether refused calls cost credits is not documented');
		expect(text).not.toMatch(maybeDebited);
	});

	it('an error says that the call may have been debited', async () => {
		const { message, text } = await failUpload(breakOff);
		expect(message).toMatch(uploadBroke);
		expectMaybeDebited(text);
	});
});

it('shows the reason of a refusal whose body breaks off, and does not warn of a debit', async () => {
	const refusal =
		'HTTP/1.1 402 No\r\nContent-Length: 999\r\n\r\nNo credits for ' + secretKey.slice(0, 15);
	const { message, text } = await failAfter(respondWithRawBytes(refusal));
	expect(message).toMatch(/\(402\): No credits for eak_test_\*\*\*$/);
	expect(text).not.toMatch(maybeDebited);
});

it('does not wait for the end of a refusal that goes on and on', async () => {
	// Each of these characters has two bytes.
	const start = 'é'.repeat(maxErrorBodyBytes);
	const refusal = `HTTP/1.1 413 No\r\nContent-Length: 9999999\r\n\r\n${start}`;
	const { message } = await failAfter(respondWithRawBytes(refusal, 'keep'));
	// The quote ends after a complete character, and is short enough to be read.
	expect(message).toMatch(new RegExp(`\\(413\\): é{${maxSentenceLength}}…$`));
});

const ending = 'Content-Length: 0\r\nConnection: close\r\n\r\n';

// For https, the 407 is the proxy's response to CONNECT, which n8n's client does not handle like one to the request.
it.each(['http://voice.internal', 'https://voice.example'])(
	'names a proxy that wants a login, for %s',
	async (baseUrl) => {
		const login = `HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic realm="a"\r\n${ending}`;
		const { message, text } = await failThroughProxy(login, baseUrl);
		expect(message).toBe('The proxy requires a login (407)');
		expect(text).toContain("Put the user name and password into 'Proxy'");
		expect(text).not.toMatch(/ask your provider/i);
	},
);

// n8n's client returns the proxy's response to CONNECT as if it were the service's.
it.each([
	{ line: '204 No Content', shown: 'The service returned an empty response instead of JSON' },
	{ line: '502 Bad Gateway', shown: 'The service failed (502)' },
])('names the proxy that may have responded to CONNECT with $line', async ({ line, shown }) => {
	const { message, text } = await failThroughProxy(
		`HTTP/1.1 ${line}\r\n${ending}`,
		'https://voice.example',
	);
	expect(message).toContain(shown);
	expect(text).toMatch(
		/(provider|later)\. The proxy of 'Proxy' in the request options may have sent this response\./,
	);
});

it('does not name the proxy for a response that was debited', async () => {
	const body = 'Content-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nHello';
	const { text } = await failThroughProxy(`HTTP/1.1 200 OK\r\n${body}`, 'http://voice.internal');
	expect(text).toContain('text/plain');
	expect(text).not.toContain('The proxy of');
});

it('says that nothing was sent if the response to CONNECT is not one', async () => {
	const { text } = await failThroughProxy('HTTP/1.1 abc\r\n\r\n', 'https://voice.example');
	if (n8n.keepsCauses === true) expectNothingDebited(text);
	else expectMaybeDebited(text);
});

/** Where a call goes whose request cannot be sent. */
interface Fault {
	baseUrl: string;
	proxy?: string;
}

async function failUnsent({ baseUrl, proxy = '' }: Fault, { timeout = 0, options = {} } = {}) {
	const requestOptions = { timeout, proxy };
	const { text } = await fail(baseUrl, { ...speechToTextParameters, requestOptions, options });
	expect(node.service.requestCount).toBe(0);
	return text;
}

/** A server without TLS does this to each connection of an https base URL. */
const respondAsService = (respond: RawResponder) => () => {
	plain.respond = respond;
	return { baseUrl: `https://localhost:${plain.port}` };
};

/** The same server as the proxy in front of a service, whose name only a proxy would resolve. */
const respondAsProxy = (respond: RawResponder) => () => {
	plain.respond = respond;
	return { baseUrl: 'https://voice.example', proxy: plain.baseUrl };
};

/** DNS that knows no host. Which error a real one gives for an unknown host depends on the machine. */
const failLookup = () => {
	const lookup = (hostname: string, _options: object, callback: (error: Error) => void) => {
		const error = new Error(`getaddrinfo ENOTFOUND ${hostname}`);
		const facts = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname };
		process.nextTick(callback, Object.assign(error, facts));
	};
	jest.spyOn(dns, 'lookup').mockImplementation(lookup as never);
	return { baseUrl: 'https://voice.example' };
};

/** Older versions of n8n do not tell our node that no connection was open. */
const brokenBeforeConnection = n8n.keepsCauses
	? /^The service could not be reached .*ECONNRESET/
	: /^The (secure connection to the service failed|connection broke) .*ECONNRESET/;

type UnsentRow = [what: string, says: RegExp, fault: () => Fault, needs?: 'cause'];

/** `cause`: only the cause of the error proves that nothing was sent, which older versions of n8n drop. */
const unsentRows: UnsentRow[] = [
	[
		'the connection is refused',
		/^The service could not be reached Check the .* whether the service is running\. .*ECONNREFUSED/,
		() => ({ baseUrl: 'http://127.0.0.1:1' }),
	],
	['the host is unknown', /^The host name of the .* was not found .*typo.*ENOTFOUND/, failLookup],
	[
		'the certificate is refused',
		/^The service's certificate .*NODE_EXTRA_CA_CERTS=.*SELF_SIGNED/,
		() => secure,
	],
	[
		'the port speaks plain HTTP',
		/^The secure connection to the service failed .*need plain 'http:\/\/'/,
		respondAsService((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
		'cause',
	],
	[
		'the connection is reset in the TLS handshake',
		brokenBeforeConnection,
		respondAsService((socket) => socket.resetAndDestroy()),
		'cause',
	],
	[
		'the proxy closes before it responds to CONNECT',
		/^The proxy did not connect to the service Check 'Proxy'/,
		respondAsProxy((socket) => socket.end()),
	],
	[
		'the proxy closes after its response to CONNECT',
		/^The secure connection to the service failed .*ECONNRESET/,
		respondAsProxy((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
	],
];

it.each(unsentRows)('a request reports that %s: %s', async (...row) => {
	const [, says, fault, needs] = row;
	const text = await failUnsent(fault());
	expect(text).toMatch(says);
	if (needs === 'cause' && n8n.keepsCauses !== true) expectMaybeDebited(text);
	else expectNothingDebited(text);
});

const limits = [
	{ limit: 'Response Timeout (Seconds)', settings: { options: { responseTimeoutSeconds: 0.5 } } },
	{ limit: 'Timeout', settings: { timeout: 500 } },
];
// An n8n that leaves such calls open has no limit of its own for the connection.
const limitsHere = n8n.leavesCallsOpen === true ? limits.slice(0, 1) : limits;

describe.each(limitsHere)(
	"a connection that is not established within '$limit'",
	({ settings }) => {
		it.each([
			{ what: 'a service that never responds to TLS', fault: respondAsService(() => {}) },
			{ what: 'a proxy that never responds to CONNECT', fault: respondAsProxy(() => {}) },
		])('is reported as one to $what', async ({ fault }) => {
			const text = await failUnsent(fault(), settings);
			if (n8n.keepsCauses === true) {
				expect(text).toMatch(/^The service could not be reached in time Check the credential's/);
				expectNothingDebited(text);
			} else {
				expect(text).toMatch(/^The service did not respond within/);
				expectMaybeDebited(text);
			}
		});
	},
);

if (n8n.ssrfProtection === true) {
	describe("n8n's protection of internal addresses", () => {
		useSsrfProtection();

		it("is reported with n8n's advice if it blocks the base URL", async () => {
			const text = await failUnsent({ baseUrl: node.service.baseUrl });
			expectNothingDebited(text);
			expect(text).toMatch(/restricted IP address.*ask your n8n administrator to allowlist/);
		});
	});
}

describe.each(['http', 'https'])('a proxy with a login, for a base URL with %s', (scheme) => {
	const proxy = RawServer.use();

	/** Calls a service, whose name only a proxy would resolve. The proxy ends each connection after the first bytes. */
	async function call(requestOptions: INodeParameters) {
		let received = '';
		proxy.respond = (socket, bytes) => {
			received = bytes.toString('latin1');
			socket.end();
		};
		const credential = { baseUrl: `${scheme}://voice.internal` };
		const output = await node.run({ ...speechToTextParameters, requestOptions }, { credential });
		return { received, output };
	}

	async function expectLogin(login: string, requestOptions: INodeParameters) {
		const { received } = await call(requestOptions);
		expect(received).toMatch(scheme === 'https' ? /^CONNECT / : /^POST http:/);
		const [, sent = ''] = /^proxy-authorization: Basic (.+)$/im.exec(received) ?? [];
		expect(Buffer.from(sent, 'base64').toString()).toBe(login);
	}

	const getAddress = (login: string) => `http://${login}@127.0.0.1:${proxy.port}`;

	it("of 'Proxy' gets a password as it is written, but with its percent-encoding decoded once", async () => {
		const proxy = getAddress('jürgen%:100% p%40ss%3Awört€%2541');
		await expectLogin('jürgen%:100% p@ss:wört€%41', { proxy });
	});

	describe("of n8n's environment", () => {
		const variables = ['HTTP_PROXY', 'HTTPS_PROXY'];
		const setProxy = (address: string) => {
			for (const variable of variables) process.env[variable] = address;
		};

		afterEach(() => {
			for (const variable of variables) delete process.env[variable];
		});

		it('gets a password with special characters', async () => {
			setProxy(getAddress('anna:100%25%40'));
			await expectLogin('anna:100%@', {});
		});

		it('that is not encoded correctly gets nothing, and nothing was debited', async () => {
			// n8n connects to the proxy before it decodes the login, and then forgets that connection, whose end nobody would
			// handle.
			if (scheme === 'https') return;
			setProxy(getAddress('anna:100%'));
			const { received, output } = await call({});
			expect(output.error?.message).toBe('The address of the proxy is not valid');
			expect(output.error?.description).toContain("write '%25' for '%'");
			expectNothingDebited(readErrorText(output));
			expect(received).toBe('');
		});
	});
});
