import { UserError, type INodeParameters } from 'n8n-workflow';
import dns from 'node:dns';

import { useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { n8n, useSsrfProtection } from '../support/n8n.mts';
import { readErrorText, expectMaybeDebited, expectNothingDebited } from '../support/outcome.mts';
import { RawServer, type RawResponder } from '../support/servers/rawServer.mts';
import { expectNoKey, secretKey } from '../support/secret.mts';

// test/engine/connection.test.mts tests faults of calls that may have been debited.

const node = useNode();
const plain = RawServer.use();
const secure = RawServer.use({ tls: true });

interface Fault {
	baseUrl: string;
	proxy?: string;
	/** In ms; 0 means no limit. */
	timeout?: number;
	onAuthenticate?: () => void;
}

async function fail({ baseUrl, proxy, timeout = 0, ...rest }: Fault, parameters: INodeParameters) {
	const requestOptions = proxy === undefined ? { timeout } : { timeout, proxy };
	const credential = { apiKey: secretKey, baseUrl };
	const output = await node.run({ ...parameters, requestOptions }, { credential, ...rest });
	expect(output.items).toEqual([]);
	expectNoKey(output.run);
	expect(node.service.requestCount).toBe(0);
	return readErrorText(output);
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

afterEach(() => jest.restoreAllMocks());

/** As `authenticate` of the credential refuses a request to another host. */
function refuse(): never {
	throw new UserError('The key is not for this host');
}

/** Older versions of n8n do not tell our node that no connection was open. */
const brokenBeforeConnection = n8n.keepsCauses
	? /^The service could not be reached .*ECONNRESET/
	: /^The (secure connection to the service failed|connection broke) .*ECONNRESET/;

/** `cause`: only the cause of the error proves that nothing was sent, which older versions of n8n drop. */
const unsent: Array<{ what: string; fault: () => Fault; says: RegExp; needs?: 'cause' }> = [
	{
		what: 'the connection is refused',
		fault: () => ({ baseUrl: 'http://127.0.0.1:1' }),
		says: /^The service could not be reached Check the .* whether the service is running\. .*ECONNREFUSED/,
	},
	{
		what: 'the host is unknown',
		fault: failLookup,
		says: /^The host name of the .* was not found .*typo.*ENOTFOUND/,
	},
	{
		what: 'the certificate is refused',
		fault: () => secure,
		says: /^The service's certificate .*NODE_EXTRA_CA_CERTS=.*SELF_SIGNED/,
	},
	{
		what: 'the port speaks plain HTTP',
		fault: respondAsService((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
		says: /^The secure connection to the service failed .*need plain 'http:\/\/'/,
		needs: 'cause',
	},
	{
		what: 'the connection ends in the TLS handshake',
		fault: respondAsService((socket) => socket.end()),
		says: /^The secure connection to the service failed .*ECONNRESET/,
	},
	{
		what: 'the connection is reset in the TLS handshake',
		fault: respondAsService((socket) => socket.resetAndDestroy()),
		says: brokenBeforeConnection,
		needs: 'cause',
	},
	{
		what: 'the proxy closes before it responds to CONNECT',
		fault: respondAsProxy((socket) => socket.end()),
		says: /^The proxy did not connect to the service Check 'Proxy'/,
	},
	{
		what: 'the proxy resets the connection before it responds to CONNECT',
		fault: respondAsProxy((socket) => socket.resetAndDestroy()),
		says: brokenBeforeConnection,
		needs: 'cause',
	},
	{
		what: 'the proxy closes after its response to CONNECT',
		fault: respondAsProxy((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
		says: /^The secure connection to the service failed .*ECONNRESET/,
	},
	{
		what: 'authenticate() refuses',
		fault: () => ({ baseUrl: node.service.baseUrl, onAuthenticate: refuse }),
		says: /The key is not for this host/,
		needs: 'cause',
	},
];

/** With what the error says of debits in the n8n that runs the tests. */
const unsentHere = unsent.map(({ needs, ...row }) =>
	needs === 'cause' && n8n.keepsCauses !== true
		? { ...row, debit: 'the call may have been debited', expectDebit: expectMaybeDebited }
		: { ...row, debit: 'nothing was debited', expectDebit: expectNothingDebited },
);

it.each(unsentHere)(
	'a request reports that $what, and that $debit',
	async ({ fault, says, expectDebit }) => {
		const text = await fail(fault(), speechToTextParameters);
		expect(text).toMatch(says);
		expectDebit(text);
	},
);

const responseLimit = { responseTimeoutSeconds: 0.5 };
const limits = [
	{ limit: 'Response Timeout (Seconds)', options: responseLimit, timeout: 0 },
	{ limit: 'Timeout', options: {}, timeout: 500 },
];
// An n8n that leaves such calls open has no limit of its own for the connection.
const limitsHere = n8n.leavesCallsOpen === true ? limits.slice(0, 1) : limits;

describe.each(limitsHere)(
	"a connection that is not established within '$limit'",
	({ options, timeout }) => {
		it.each([
			{ what: 'a service that never responds to TLS', fault: respondAsService(() => {}) },
			{ what: 'a proxy that never responds to CONNECT', fault: respondAsProxy(() => {}) },
		])('is reported as one to $what', async ({ fault }) => {
			const text = await fail({ ...fault(), timeout }, { ...speechToTextParameters, options });
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

describe("n8n's protection of internal addresses", () => {
	useSsrfProtection();

	if (n8n.ssrfProtection === true) {
		it("is reported with n8n's advice if it blocks the base URL", async () => {
			const text = await fail({ baseUrl: node.service.baseUrl }, speechToTextParameters);
			expectNothingDebited(text);
			expect(text).toMatch(/restricted IP address.*ask your n8n administrator to allowlist/);
		});
	} else {
		it('does not exist in this version, which calls the base URL', async () => {
			await node.runOnce(speechToTextParameters);
		});
	}
});
