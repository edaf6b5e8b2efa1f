/** What the node says happened. */
export const messages = {
	notReached: 'The service could not be reached',
	notFound: 'The host name of the service or of a proxy was not found',
	unverified: "The service's certificate could not be verified",
	proxyClosed: 'The proxy closed the connection before it reached the service',
	notSecure: 'The secure connection to the service failed',
	closed: 'The service closed the connection during the upload',
	tooLate: "The service did not respond within the 'Timeout' of the request options",
	damaged: 'The compressed response is damaged or incomplete',
	notHttp: 'The service returned something that is not valid HTTP',
	broke: 'The connection broke before the response was complete',
	unknown: 'The connection to the service failed',
};

/** A fault as Node reports it. */
interface Fault {
	code: string;
	said: string;
	syscall: string;
	/** What the node says happened. */
	message: string;
	/** The facts above prove that the request never left n8n. */
	provesUnsent?: true;
}

/** A fault of TLS can happen after the handshake too, so its code alone proves nothing. */
export const faults: Fault[] = [
	{
		code: 'ECONNREFUSED',
		said: 'connect ECONNREFUSED 127.0.0.1:1',
		syscall: 'connect',
		message: messages.notReached,
		provesUnsent: true,
	},
	{
		code: 'EHOSTUNREACH',
		said: 'connect EHOSTUNREACH 10.0.0.1:443',
		syscall: 'connect',
		message: messages.notReached,
		provesUnsent: true,
	},
	{
		code: 'ENOTFOUND',
		said: 'getaddrinfo ENOTFOUND x.invalid',
		syscall: 'getaddrinfo',
		message: messages.notFound,
		provesUnsent: true,
	},
	{
		code: 'EAI_AGAIN',
		said: 'getaddrinfo EAI_AGAIN x.invalid',
		syscall: 'getaddrinfo',
		message: messages.notFound,
		provesUnsent: true,
	},
	{
		code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		said: 'self-signed certificate',
		syscall: '',
		message: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'SELF_SIGNED_CERT_IN_CHAIN',
		said: 'self-signed certificate in chain',
		syscall: '',
		message: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		said: 'unable to verify',
		syscall: '',
		message: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'CERT_HAS_EXPIRED',
		said: 'certificate has expired',
		syscall: '',
		message: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'ERR_TLS_CERT_ALTNAME_INVALID',
		said: 'Hostname/IP does not match',
		syscall: '',
		message: messages.unverified,
		provesUnsent: true,
	},
	{
		code: '',
		said: 'Proxy connection ended before receiving CONNECT response',
		syscall: '',
		message: messages.proxyClosed,
		provesUnsent: true,
	},
	{
		code: 'EPROTO',
		said: 'write EPROTO C0:error:0A00010B:SSL routines',
		syscall: 'write',
		message: messages.notSecure,
	},
	{
		code: 'ERR_SSL_WRONG_VERSION_NUMBER',
		said: 'C0:error:0A00010B',
		syscall: '',
		message: messages.notSecure,
	},
	{
		code: 'ERR_TLS_HANDSHAKE_TIMEOUT',
		said: 'TLS handshake timeout',
		syscall: '',
		message: messages.notSecure,
	},
	{
		code: 'ECONNRESET',
		said: 'Client network socket disconnected before secure TLS connection was established',
		syscall: '',
		message: messages.notSecure,
		provesUnsent: true,
	},
	{
		code: 'ETIMEDOUT',
		said: 'connect ETIMEDOUT 10.0.0.1:443',
		syscall: 'connect',
		message: messages.notReached,
		provesUnsent: true,
	},
	{ code: 'EPIPE', said: 'write EPIPE', syscall: 'write', message: messages.closed },
	{
		code: 'ECONNABORTED',
		said: 'timeout of 150ms exceeded',
		syscall: '',
		message: messages.tooLate,
	},
	{ code: 'ETIMEDOUT', said: 'timeout of 150ms exceeded', syscall: '', message: messages.tooLate },
	{ code: 'Z_BUF_ERROR', said: 'unexpected end of file', syscall: '', message: messages.damaged },
	{
		code: 'ERR_BROTLI_DECODER_ERROR',
		said: 'Decompression failed',
		syscall: '',
		message: messages.damaged,
	},
	{
		code: 'ERR__ERROR_FORMAT_PADDING_1',
		said: 'Decompression failed',
		syscall: '',
		message: messages.damaged,
	},
	{
		code: 'HPE_INVALID_CONSTANT',
		said: 'Parse Error: Expected HTTP/',
		syscall: '',
		message: messages.notHttp,
	},
	// With a system call it is not n8n's own timeout.
	{ code: 'ECONNABORTED', said: 'write ECONNABORTED', syscall: 'write', message: messages.broke },
	{ code: 'ECONNRESET', said: 'read ECONNRESET', syscall: 'read', message: messages.broke },
	{ code: '', said: 'socket hang up', syscall: '', message: messages.broke },
	{
		code: 'ERR_STREAM_PREMATURE_CLOSE',
		said: 'Premature close',
		syscall: '',
		message: messages.broke,
	},
	{ code: 'ETIMEDOUT', said: 'read ETIMEDOUT', syscall: 'read', message: messages.broke },
	{ code: 'EHOSTUNREACH', said: 'read EHOSTUNREACH', syscall: 'read', message: messages.unknown },
	{ code: 'ESOMETHING', said: 'never seen before', syscall: '', message: messages.unknown },
	// Codes that only resemble the ones above.
	{ code: 'X_EPROTO', said: 'wrong version', syscall: '', message: messages.unknown },
	{ code: 'X_Z_BUF_ERROR', said: 'unexpected end', syscall: '', message: messages.unknown },
	{ code: 'X_ECONNRESET', said: 'read X', syscall: 'read', message: messages.unknown },
	{ code: 'ECONNRESETS', said: 'read X', syscall: 'read', message: messages.unknown },
];
