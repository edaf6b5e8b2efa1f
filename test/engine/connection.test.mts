import type { INodeParameters } from 'n8n-workflow';
import type { Socket } from 'node:net';

import { maxErrorBodyBytes, maxSentenceLength } from '../../nodes/VoiceSpeech/limits.ts';
import { n8n } from '../support/n8n.mts';
import { messages } from '../support/networkFaults.mts';
import { callWav, createLargeWav, useNode, type TestFile } from '../support/node.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import {
	readErrorText,
	expectMaybeDebited,
	expectNothingDebited,
	maybeDebited,
} from '../support/outcome.mts';
import {
	isComplete,
	respondWithRawBytes,
	RawServer,
	type RawResponder,
} from '../support/servers/rawServer.mts';
import { createMp3 } from '../support/media/recordings.mts';
import { expectNoKey, secretKey } from '../support/secret.mts';
import { settleAll } from '../support/waiting.mts';

// test/credits/debits tests requests that never left n8n, test/weekly/faults responses that break off at many offsets, and
// test/engine/responseBodies compressed responses.

const node = useNode();
const plain = RawServer.use();
const secure = RawServer.use({ tls: true });
const large = createLargeWav();

interface Call {
	file?: TestFile;
	server?: RawServer;
	baseUrl?: string;
}

async function failAfter(
	respond: RawResponder,
	parameters: INodeParameters,
	{ server = plain, baseUrl = server.baseUrl, file = callWav }: Call = {},
) {
	server.respond = respond;
	const credential = { apiKey: secretKey, baseUrl };
	const output = await node.run(parameters, { credential, files: { data: file } });
	expect(output.items).toEqual([]);
	expectNoKey(output.run);
	// The node never retries a call that may have been debited.
	expect(server.connections).toBe(1);
	return { message: output.error?.message, text: readErrorText(output) };
}

const gzip = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n';
const partOfAudio = Buffer.concat([
	Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: 99999\r\n\r\n'),
	createMp3(100),
]);

it.each<{ what: string; respond: RawResponder; expected: string; parameters?: INodeParameters }>([
	{
		what: 'a reset instead of a response',
		respond: respondWithRawBytes('', 'reset'),
		expected: messages.broke,
	},
	{
		what: 'a reset in the audio',
		respond: respondWithRawBytes(partOfAudio, 'reset'),
		expected: messages.broke,
		parameters: textToSpeechParameters,
	},
	{
		what: 'something that is not HTTP',
		respond: respondWithRawBytes('SSH-2.0-OpenSSH_9.2\r\n'),
		expected: messages.notHttp,
	},
	{
		what: 'a compressed response that is not compressed',
		respond: respondWithRawBytes(`${gzip}123456789`),
		expected: messages.damaged,
	},
])(
	'says that a call may have been debited after $what',
	async ({ respond, expected, parameters = speechToTextParameters }) => {
		const { message, text } = await failAfter(respond, parameters);
		expect(message).toBe(expected);
		expectMaybeDebited(text);
	},
);

/** Sends a status that is not a response again and again. */
const floodWith102: RawResponder = (socket, request) => {
	if (!isComplete(request)) return;
	const bytes = 'HTTP/1.1 102 Processing\r\nLink: </a>\r\n\r\n'.repeat(100);
	const timer = setInterval(() => socket.write(bytes), 10);
	socket.once('close', () => clearInterval(timer));
};

// After a 101, n8n's client has neither a response nor an error, and its own 'Timeout' does not apply any more.
describe.each<{ what: string; respond: RawResponder }>([
	{
		what: 'a switch to another protocol (101)',
		respond: respondWithRawBytes(
			'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n',
			'keep',
		),
	},
	{ what: 'nothing', respond: () => {} },
	{ what: '102 again and again', respond: floodWith102 },
	{
		what: 'headers that do not end',
		respond: respondWithRawBytes('HTTP/1.1 200 OK\r\nX-A: 1\r\n', 'keep'),
	},
])('a service that sends $what', ({ respond }) => {
	it.each<{ limit: string; parameters: INodeParameters; expected: string }>([
		{
			limit: 'Timeout',
			// n8n counts from the start of the request, which a busy machine may delay.
			parameters: { requestOptions: { timeout: 2_000 }, options: { responseTimeoutSeconds: 0 } },
			expected: messages.tooLate,
		},
		{
			limit: 'Response Timeout (Seconds)',
			parameters: { options: { responseTimeoutSeconds: 0.5 } },
			expected: 'The service did not respond within 0.5 seconds after the upload',
		},
	])("is stopped by the '$limit'", async ({ parameters, expected }) => {
		const output = await failAfter(respond, { ...speechToTextParameters, ...parameters });
		expect(output.message).toBe(expected);
		expectMaybeDebited(output.text);
	});
});

it('says that a call may have been debited if a proxy closes after it got the request to an http base URL', async () => {
	const proxied = { ...speechToTextParameters, requestOptions: { proxy: plain.baseUrl } };
	const { text } = await failAfter(respondWithRawBytes(''), proxied, {
		baseUrl: 'http://a.internal',
	});
	expectMaybeDebited(text);
});

/** What the server sends after the handshake. TLS accepts none of it as a record. */
const noRecords: Array<{ what: string; bytes: string }> = [
	{ what: 'plain HTTP', bytes: 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n' },
	{ what: 'a reset', bytes: '' },
];

describe.each(noRecords)('a call whose TLS breaks with $what', ({ bytes }) => {
	it.each<{ when: string; parameters: INodeParameters; file: TestFile }>([
		{ when: 'after the audio', parameters: speechToTextParameters, file: callWav },
		{ when: 'during the upload', parameters: speechToTextParameters, file: large },
	])('is reported as possibly debited if it breaks $when', async ({ parameters, file }) => {
		let received = 0;
		const respond: RawResponder = (_socket, request, { tcp }) => {
			const isDue = isComplete(request) || request.length > 100_000;
			if (received > 0 || !isDue) return;
			received = request.length;
			if (bytes === '') tcp.resetAndDestroy();
			else tcp.write(bytes);
		};
		const trusting = { ...parameters, requestOptions: { allowUnauthorizedCerts: true } };
		const { text } = await failAfter(respond, trusting, { server: secure, file });
		expectMaybeDebited(text);
		expect(received).toBeGreaterThan(0);
	});
});

const early = `HTTP/1.1 413 Payload Too Large\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"message":"at 1 MB"`;

/** Fails a large upload that the service stops reading when its first bytes have arrived, and ends in this way. */
async function failUpload(end: (socket: Socket) => void) {
	const respond: RawResponder = (socket) => {
		socket.pause();
		end(socket);
	};
	return await failAfter(respond, speechToTextParameters, { file: large });
}

const uploadBroke = /closed the connection during the upload|The connection broke/;

const reset = (socket: Socket) => socket.resetAndDestroy();

// test/credits/earlyResponses.test.mts tests a service that continues to read.
describe.each<{
	ending: string;
	end: (socket: Socket) => void;
	breakOff: (socket: Socket) => void;
}>([
	{ ending: 'ends', end: (socket) => socket.end(), breakOff: (socket) => socket.destroy() },
	{ ending: 'resets', end: reset, breakOff: reset },
])('if the service $ending the connection during the upload,', ({ end, breakOff }) => {
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
	const { message, text } = await failAfter(respondWithRawBytes(refusal), speechToTextParameters);
	expect(message).toMatch(/\(402\): No credits for eak_test_\*\*\*$/);
	expect(text).not.toMatch(maybeDebited);
});

it('does not wait for the end of a refusal that goes on and on', async () => {
	// Each of these characters has two bytes.
	const start = 'é'.repeat(maxErrorBodyBytes);
	const refusal = `HTTP/1.1 413 No\r\nContent-Length: 9999999\r\n\r\n${start}`;
	const { message } = await failAfter(respondWithRawBytes(refusal, 'keep'), speechToTextParameters);
	// The quote ends after a complete character, and is short enough to be read.
	expect(message).toMatch(new RegExp(`\\(413\\): é{${maxSentenceLength}}…$`));
});

/** Lets {@link plain} be a proxy, which sends this and ends. */
async function failThroughProxy(bytes: string, baseUrl: string) {
	// A CONNECT has no body, and nothing after its headers.
	const isTunnel = baseUrl.startsWith('https');
	const respond: RawResponder = isTunnel
		? (socket) => socket.end(bytes)
		: respondWithRawBytes(bytes);
	const proxied = { ...speechToTextParameters, requestOptions: { proxy: plain.baseUrl } };
	return await failAfter(respond, proxied, { baseUrl });
}

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
	expect(text).toContain(
		"The proxy of 'Proxy' in the request options may have sent this response.",
	);
});

it('says that nothing was sent if the response to CONNECT is not one', async () => {
	const { text } = await failThroughProxy('HTTP/1.1 abc\r\n\r\n', 'https://voice.example');
	if (n8n.keepsCauses === true) expectNothingDebited(text);
	else expectMaybeDebited(text);
});
