/** What the node says happened. */
export const messages = {
	notReached: 'The service could not be reached',
	notFound: "The host name of the credential's 'Base URL' was not found",
	unverified: "The service's certificate could not be verified",
	proxyClosed: 'The proxy closed the connection before it reached the service',
	notSecure: 'The secure connection to the service failed',
	closed: 'The service closed the connection during the upload',
	tooLate: "The service did not respond within the 'Timeout' of the request options",
	damaged: 'The compressed response is damaged or incomplete',
	notHttp: 'The service returned something that is not valid HTTP',
	broke: 'The connection broke before the response was complete',
	unknown: 'The call failed on the network',
};

/** Faults as Node reports them. */
export const faults: Array<[code: string, said: string, syscall: string, message: string]> = [
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', 'connect', messages.notReached],
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', 'connect', messages.notReached],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND x.invalid', 'getaddrinfo', messages.notFound],
	['EAI_AGAIN', 'getaddrinfo EAI_AGAIN x.invalid', 'getaddrinfo', messages.notFound],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', '', messages.unverified],
	['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in chain', '', messages.unverified],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', '', messages.unverified],
	['CERT_HAS_EXPIRED', 'certificate has expired', '', messages.unverified],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', '', messages.unverified],
	['', 'Proxy connection ended before receiving CONNECT response', '', messages.proxyClosed],
	['EPROTO', 'write EPROTO C0:error:0A00010B:SSL routines', 'write', messages.notSecure],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'C0:error:0A00010B', '', messages.notSecure],
	['ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake timeout', '', messages.notSecure],
	[
		'ECONNRESET',
		'Client network socket disconnected before secure TLS connection was established',
		'',
		messages.notSecure,
	],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', 'connect', messages.notReached],
	['EPIPE', 'write EPIPE', 'write', messages.closed],
	['ECONNABORTED', 'timeout of 150ms exceeded', '', messages.tooLate],
	['ETIMEDOUT', 'timeout of 150ms exceeded', '', messages.tooLate],
	['Z_BUF_ERROR', 'unexpected end of file', '', messages.damaged],
	['ERR_BROTLI_DECODER_ERROR', 'Decompression failed', '', messages.damaged],
	['ERR__ERROR_FORMAT_PADDING_1', 'Decompression failed', '', messages.damaged],
	['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/', '', messages.notHttp],
	// With a system call it is not n8n's own timeout.
	['ECONNABORTED', 'write ECONNABORTED', 'write', messages.broke],
	['ECONNRESET', 'read ECONNRESET', 'read', messages.broke],
	['', 'socket hang up', '', messages.broke],
	['ERR_STREAM_PREMATURE_CLOSE', 'Premature close', '', messages.broke],
	['ETIMEDOUT', 'read ETIMEDOUT', 'read', messages.broke],
	['EHOSTUNREACH', 'read EHOSTUNREACH', 'read', messages.unknown],
	['ESOMETHING', 'never seen before', '', messages.unknown],
	// Codes that only resemble the ones above.
	['X_EPROTO', 'wrong version', '', messages.unknown],
	['X_Z_BUF_ERROR', 'unexpected end', '', messages.unknown],
	['X_ECONNRESET', 'read X', 'read', messages.unknown],
	['ECONNRESETS', 'read X', 'read', messages.unknown],
];

/** Whether nothing but these facts proves that the request never left n8n. */
export function isBeforeRequest(said: string, message: string): boolean {
	const { notReached, notFound, unverified, proxyClosed } = messages;
	const all = [notReached, notFound, unverified, proxyClosed];
	return all.includes(message) || said.startsWith('Client network socket disconnected');
}
