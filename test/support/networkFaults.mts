/** The messages of our node for faults of the network. */
export const messages = {
	notReached: 'The service could not be reached',
	notReachedInTime: 'The service could not be reached in time',
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

/** Faults as Node reports them, what our node shows, and whether they prove that the request never left n8n. */
const rows: Array<[code: string, nodeMessage: string, shownMessage: string, provesUnsent?: true]> =
	[
		['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', messages.notReached, true],
		['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', messages.notReached, true],
		['ENOTFOUND', 'getaddrinfo ENOTFOUND x.invalid', messages.notFound, true],
		['EAI_AGAIN', 'getaddrinfo EAI_AGAIN x.invalid', messages.notFound, true],
		['EAI_FAIL', 'getaddrinfo EAI_FAIL x.invalid', messages.notFound, true],
		['EMFILE', 'getaddrinfo EMFILE x.invalid', messages.unknown, true],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', messages.unverified, true],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', messages.unverified, true],
		['CERT_HAS_EXPIRED', 'certificate has expired', messages.unverified, true],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', messages.unverified, true],
		['', 'Proxy connection ended before receiving CONNECT response', messages.notConnected, true],
		['', 'No header received from proxy CONNECT response', messages.notConnected, true],
		['', 'Invalid header from proxy CONNECT response: "x"', messages.notConnected, true],
		['', 'URI malformed', messages.invalidProxy, true],
		// The next three faults of TLS can also happen after the handshake, so they prove nothing.
		['EPROTO', 'write EPROTO C0:error:0A00010B:SSL routines', messages.notSecure],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'C0:error:0A00010B', messages.notSecure],
		['ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake timeout', messages.notSecure],
		[
			'ECONNRESET',
			'Client network socket disconnected before secure TLS connection was established',
			messages.notSecure,
			true,
		],
		['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', messages.notReached, true],
		['EPIPE', 'write EPIPE', messages.closed],
		['ECONNABORTED', 'timeout of 150ms exceeded', messages.tooLate],
		['ETIMEDOUT', 'timeout of 150ms exceeded', messages.tooLate],
		['HPE_HEADER_OVERFLOW', 'Parse Error: Header overflow', messages.longHeaders],
		['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/', messages.notHttp],
		// With a system call it is not n8n's own timeout.
		['ECONNABORTED', 'write ECONNABORTED', messages.broke],
		['ECONNRESET', 'read ECONNRESET', messages.broke],
		['', 'socket hang up', messages.broke],
		['ERR_STREAM_PREMATURE_CLOSE', 'Premature close', messages.broke],
		['ETIMEDOUT', 'read ETIMEDOUT', messages.broke],
		['EHOSTUNREACH', 'read EHOSTUNREACH', messages.unknown],
		['ESOMETHING', 'never seen before', messages.unknown],
		// Codes and messages that only resemble the ones above.
		['X_ECONNREFUSED', 'refused', messages.unknown],
		['', 'The other side closed the connection, a connect of ours', messages.unknown],
		['', 'No: Proxy connection ended before receiving CONNECT response', messages.unknown],
		['X_EPROTO', 'wrong version', messages.unknown],
		['X_Z_BUF_ERROR', 'unexpected end', messages.unknown],
		['ECONNRESETS', 'read X', messages.unknown],
	];

export const faults = rows.map(([code, nodeMessage, shownMessage, provesUnsent = false]) => {
	// A message about a system call begins with its name.
	const [, syscall = ''] = /^(connect|getaddrinfo|read|write) /.exec(nodeMessage) ?? [];
	return { code, nodeMessage, syscall, shownMessage, provesUnsent };
});
