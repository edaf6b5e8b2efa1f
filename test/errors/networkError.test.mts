import { CallError } from '../../nodes/VoiceSpeech/errors/bases.ts';
import {
	createNetworkError,
	createBrokenResponseError,
	createNotReachedInTimeError,
	type ClientFault,
} from '../../nodes/VoiceSpeech/errors/networkError.ts';

const messages = {
	notReached: 'The service could not be reached',
	notFound: 'The host name of the service or of a proxy was not found',
	unverified: "The service's certificate could not be verified",
	notConnected: 'The proxy did not connect to the service',
	invalidProxy: 'The address of the proxy is not valid',
	notSecure: 'The secure connection to the service failed',
	closed: 'The service closed the connection during the upload',
	tooLate: "The service did not respond within the 'Timeout' of the request options",
	longHeaders: 'The headers of the response are too long',
	notHttp: 'The service returned something that is not valid HTTP',
	broke: 'The connection broke before the response was complete',
	unknown: 'The connection to the service failed',
};

/** What the advice leads to. */
const advices: typeof messages = {
	notReached: "Check the credential's 'Base URL'. If it is correct, ask your n8n admin",
	notFound: "Check the credential's 'Base URL' for a typo, and 'Proxy' in the request",
	unverified: 'start n8n with NODE_EXTRA_CA_CERTS=',
	notConnected: "Check 'Proxy' in the request options.",
	invalidProxy: 'Ask your n8n administrator to correct the proxy of the server',
	notSecure: "Check the credential's 'Base URL': its port may belong to another program,",
	closed: 'The file may be too large: send a shorter or compressed one.',
	tooLate: "Raise it, or remove it: then the option 'Response Timeout (Seconds)' applies.",
	longHeaders: 'Ask your provider, and the person who runs a proxy in between,',
	notHttp: "Check the credential's 'Base URL': its port may belong to another program. Other",
	broke: 'Ask your n8n administrator to check the network between n8n and the service.',
	unknown: 'Ask your n8n administrator to check the network',
};

/** Faults as Node reports them, what our node shows, and whether they prove that the request never left n8n. */
const faults: Array<
	[code: string, nodeMessage: string, shows: keyof typeof messages, provesUnsent?: boolean]
> = [
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', 'notReached', true],
	['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:443', 'notReached', true],
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', 'notReached', true],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND x.invalid', 'notFound', true],
	['EAI_AGAIN', 'getaddrinfo EAI_AGAIN x.invalid', 'notFound', true],
	['EAI_FAIL', 'getaddrinfo EAI_FAIL x.invalid', 'notFound', true],
	['EMFILE', 'getaddrinfo EMFILE x.invalid', 'unknown', true],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'unverified', true],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', 'unverified', true],
	['CERT_HAS_EXPIRED', 'certificate has expired', 'unverified', true],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', 'unverified', true],
	['', 'Proxy connection ended before receiving CONNECT response', 'notConnected', true],
	['', 'No header received from proxy CONNECT response', 'notConnected', true],
	['', 'Invalid header from proxy CONNECT response: "x"', 'notConnected', true],
	['', 'URI malformed', 'invalidProxy', true],
	// The next three faults of TLS can also happen after the handshake, so they prove nothing.
	['EPROTO', 'write EPROTO C0:error:0A00010B:SSL routines', 'notSecure'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'C0:error:0A00010B', 'notSecure'],
	['ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake timeout', 'notSecure'],
	[
		'ECONNRESET',
		'Client network socket disconnected before secure TLS connection was established',
		'notSecure',
		true,
	],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', 'notReached', true],
	['EPIPE', 'write EPIPE', 'closed'],
	['ECONNABORTED', 'timeout of 150ms exceeded', 'tooLate'],
	['ETIMEDOUT', 'timeout of 150ms exceeded', 'tooLate'],
	['HPE_HEADER_OVERFLOW', 'Parse Error: Header overflow', 'longHeaders'],
	['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/', 'notHttp'],
	// With a system call it is not n8n's own timeout.
	['ECONNABORTED', 'write ECONNABORTED', 'broke'],
	['ECONNRESET', 'read ECONNRESET', 'broke'],
	['', 'socket hang up', 'broke'],
	['ERR_STREAM_PREMATURE_CLOSE', 'Premature close', 'broke'],
	['ETIMEDOUT', 'read ETIMEDOUT', 'broke'],
	['EHOSTUNREACH', 'read EHOSTUNREACH', 'unknown'],
	['ESOMETHING', 'never seen before', 'unknown'],
	// Codes and messages that only resemble the ones above.
	['X_ECONNREFUSED', 'refused', 'unknown'],
	['', 'The other side closed the connection, a connect of ours', 'unknown'],
	['', 'No: Proxy connection ended before receiving CONNECT response', 'unknown'],
	['X_EPROTO', 'wrong version', 'unknown'],
	['X_Z_BUF_ERROR', 'unexpected end', 'unknown'],
	['ECONNRESETS', 'read X', 'unknown'],
];

const createFault = (facts: Partial<ClientFault>): ClientFault => ({
	code: '',
	message: '',
	syscall: '',
	isUnconnected: false,
	...facts,
});

it.each(faults)(
	'names message, advice, reason and debit status of the fault %s, %s',
	(code, nodeMessage, shows, provesUnsent = false) => {
		// A message about a system call begins with its name.
		const [, syscall = ''] = /^(connect|getaddrinfo|read|write) /.exec(nodeMessage) ?? [];
		const fault = createFault({ code, message: nodeMessage, syscall });
		const error = createNetworkError(fault);
		expect(error).toBeInstanceOf(CallError);
		expect(error).toMatchObject({ message: messages[shows], status: undefined });
		expect(error.description).toContain(advices[shows]);
		// Node's messages often start with the code.
		const reason =
			code === '' || nodeMessage.startsWith(code) ? nodeMessage : `${code}: ${nodeMessage}`;
		const ending = `(${reason})`;
		expect(error.description?.slice(-ending.length)).toBe(ending);
		expect(error.debit).toBe(provesUnsent ? 'notSent' : 'possible');
		// What is known of the debit does not depend on the fault if the request had no connection, or got a response.
		expect(createNetworkError({ ...fault, isUnconnected: true }).debit).toBe('notSent');
		expect(createBrokenResponseError({ code, message: nodeMessage }, false).debit).toBe('possible');
		expect(error.description).not.toContain("Also check 'Proxy'");
		const isThisMachine = nodeMessage.includes('127.0.0.1');
		expect(error.description?.includes('host.docker.internal')).toBe(isThisMachine);
		// The proxy of the request options is named once, and not at all if the fault is that of the server's own proxy.
		const { description } = createNetworkError(fault, true);
		const named = description?.match(/'Proxy' in the request options/g) ?? [];
		expect(named).toHaveLength(shows === 'invalidProxy' ? 0 : 1);
	},
);

const notReachedInTime = 'The service could not be reached in time';
const expired = { message: 'timeout of 150ms exceeded', shown: notReachedInTime };

it.each([
	{ code: 'ECONNABORTED', ...expired },
	{ code: 'ETIMEDOUT', ...expired },
	{ code: 'EPIPE', message: 'write EPIPE', shown: messages.notReached },
	{ code: 'HPE_INVALID_CONSTANT', message: 'Parse Error', shown: messages.notReached },
	{ code: 'EPROTO', message: 'write EPROTO', shown: messages.notSecure },
])('reports the fault $code without a connection as "$shown"', ({ shown, ...facts }) => {
	const error = createNetworkError(createFault({ ...facts, isUnconnected: true }));
	expect(error).toMatchObject({ message: shown, debit: 'notSent' });
	expect(error.description).toMatch(/^Check the credential's 'Base URL'/);
});

it("advises to check 'Base URL', the limits and 'Proxy' if the connection takes too long", () => {
	const checkAddress =
		/^Check the credential's 'Base URL'\. .*is running\. If 'Timeout' or .* is short, raise it\.$/;
	const direct = createNotReachedInTimeError(false);
	expect(direct).toMatchObject({ message: notReachedInTime, debit: 'notSent' });
	expect(direct.description).toMatch(checkAddress);
	const throughProxy = createNotReachedInTimeError(true);
	const proxyCheck = "Also check 'Proxy' in the request options.";
	expect(throughProxy.description).toBe(`${direct.description} ${proxyCheck}`);
});

it.each([
	['ECONNRESET', 'aborted'],
	['ETIMEDOUT', 'read ETIMEDOUT'],
	['ECONNABORTED', 'ended'],
])('says that a response that broke off (%s: %s) may have been debited', (code, text) => {
	const error = Object.assign(new Error(text), { code });
	const broken = createBrokenResponseError(error, false);
	expect(broken).toMatchObject({ message: messages.broke, debit: 'possible' });
	expect(broken.description).toContain(`(${code}: ${text})`);
	expect(broken.description).not.toContain("'Proxy'");
	const throughProxy = createBrokenResponseError(error, true);
	expect(throughProxy.description).toContain("Also check 'Proxy' in the request options.");
});

it('says that a call may have been debited after a fault without code and message', () => {
	const expected = {
		message: messages.unknown,
		description: expect.stringMatching(/ \(no reason was given\)$/) as string,
		debit: 'possible',
	};
	expect(createNetworkError(createFault({}))).toMatchObject(expected);
	expect(createBrokenResponseError(undefined, false)).toMatchObject(expected);
});

it("shows n8n's own error in its own words", () => {
	const n8nError = { message: 'The host is blocked', description: 'Ask your administrator.' };
	const error = createNetworkError(
		createFault({ code: 'ECONNREFUSED', isUnconnected: true, n8nError }),
	);
	expect(error).toMatchObject({ ...n8nError, debit: 'notSent' });
});

it.each([
	['127.0.0.1:3000', true],
	['::1:3000', true],
	['10.0.0.7:443', false],
	['2001:db8::1:443', false],
])('explains for %s that localhost is the container: %s', (address, isContainer) => {
	const message = `connect ECONNREFUSED ${address}`;
	// n8n's older client does not name the system call.
	const error = createNetworkError(createFault({ code: 'ECONNREFUSED', message }));
	expect(error).toMatchObject({ message: messages.notReached, debit: 'notSent' });
	const text = error.description ?? '';
	expect(text.includes("'localhost' is the container itself")).toBe(isContainer);
});
