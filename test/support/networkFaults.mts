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
	damaged: 'The compressed response is damaged or incomplete',
	longHeaders: 'The headers of the response are too long',
	notHttp: 'The service returned something that is not valid HTTP',
	broke: 'The connection broke before the response was complete',
	unknown: 'The connection to the service failed',
};

/** A fault as Node reports it. */
interface Fault {
	code: string;
	/** The message of Node.js. */
	nodeMessage: string;
	/** The system call that failed, if one did. */
	syscall?: string;
	/** What our node shows in its place. */
	shownMessage: string;
	/** The facts above prove that the request never left n8n. */
	provesUnsent?: true;
}

export const faults: Fault[] = [
	{
		code: 'ECONNREFUSED',
		nodeMessage: 'connect ECONNREFUSED 127.0.0.1:1',
		syscall: 'connect',
		shownMessage: messages.notReached,
		provesUnsent: true,
	},
	{
		code: 'EHOSTUNREACH',
		nodeMessage: 'connect EHOSTUNREACH 10.0.0.1:443',
		syscall: 'connect',
		shownMessage: messages.notReached,
		provesUnsent: true,
	},
	{
		code: 'ENOTFOUND',
		nodeMessage: 'getaddrinfo ENOTFOUND x.invalid',
		syscall: 'getaddrinfo',
		shownMessage: messages.notFound,
		provesUnsent: true,
	},
	{
		code: 'EAI_AGAIN',
		nodeMessage: 'getaddrinfo EAI_AGAIN x.invalid',
		syscall: 'getaddrinfo',
		shownMessage: messages.notFound,
		provesUnsent: true,
	},
	{
		code: 'EAI_FAIL',
		nodeMessage: 'getaddrinfo EAI_FAIL x.invalid',
		syscall: 'getaddrinfo',
		shownMessage: messages.notFound,
		provesUnsent: true,
	},
	{
		code: 'EMFILE',
		nodeMessage: 'getaddrinfo EMFILE x.invalid',
		syscall: 'getaddrinfo',
		shownMessage: messages.unknown,
		provesUnsent: true,
	},
	{
		code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		nodeMessage: 'self-signed certificate',
		shownMessage: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'SELF_SIGNED_CERT_IN_CHAIN',
		nodeMessage: 'self-signed certificate in chain',
		shownMessage: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		nodeMessage: 'unable to verify',
		shownMessage: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'CERT_HAS_EXPIRED',
		nodeMessage: 'certificate has expired',
		shownMessage: messages.unverified,
		provesUnsent: true,
	},
	{
		code: 'ERR_TLS_CERT_ALTNAME_INVALID',
		nodeMessage: 'Hostname/IP does not match',
		shownMessage: messages.unverified,
		provesUnsent: true,
	},
	{
		code: '',
		nodeMessage: 'Proxy connection ended before receiving CONNECT response',
		shownMessage: messages.notConnected,
		provesUnsent: true,
	},
	{
		code: '',
		nodeMessage: 'No header received from proxy CONNECT response',
		shownMessage: messages.notConnected,
		provesUnsent: true,
	},
	{
		code: '',
		nodeMessage: 'Invalid header from proxy CONNECT response: "x"',
		shownMessage: messages.notConnected,
		provesUnsent: true,
	},
	{
		code: '',
		nodeMessage: 'URI malformed',
		shownMessage: messages.invalidProxy,
		provesUnsent: true,
	},
	// The next three faults of TLS can also happen after the handshake, so they prove nothing.
	{
		code: 'EPROTO',
		nodeMessage: 'write EPROTO C0:error:0A00010B:SSL routines',
		syscall: 'write',
		shownMessage: messages.notSecure,
	},
	{
		code: 'ERR_SSL_WRONG_VERSION_NUMBER',
		nodeMessage: 'C0:error:0A00010B',
		shownMessage: messages.notSecure,
	},
	{
		code: 'ERR_TLS_HANDSHAKE_TIMEOUT',
		nodeMessage: 'TLS handshake timeout',
		shownMessage: messages.notSecure,
	},
	{
		code: 'ECONNRESET',
		nodeMessage: 'Client network socket disconnected before secure TLS connection was established',
		shownMessage: messages.notSecure,
		provesUnsent: true,
	},
	{
		code: 'ETIMEDOUT',
		nodeMessage: 'connect ETIMEDOUT 10.0.0.1:443',
		syscall: 'connect',
		shownMessage: messages.notReached,
		provesUnsent: true,
	},
	{ code: 'EPIPE', nodeMessage: 'write EPIPE', syscall: 'write', shownMessage: messages.closed },
	{
		code: 'ECONNABORTED',
		nodeMessage: 'timeout of 150ms exceeded',
		shownMessage: messages.tooLate,
	},
	{
		code: 'ETIMEDOUT',
		nodeMessage: 'timeout of 150ms exceeded',
		shownMessage: messages.tooLate,
	},
	{
		code: 'Z_BUF_ERROR',
		nodeMessage: 'unexpected end of file',
		shownMessage: messages.damaged,
	},
	{
		code: 'ERR_BROTLI_DECODER_ERROR',
		nodeMessage: 'Decompression failed',
		shownMessage: messages.damaged,
	},
	{
		code: 'ERR__ERROR_FORMAT_PADDING_1',
		nodeMessage: 'Decompression failed',
		shownMessage: messages.damaged,
	},
	{
		code: 'HPE_HEADER_OVERFLOW',
		nodeMessage: 'Parse Error: Header overflow',
		shownMessage: messages.longHeaders,
	},
	{
		code: 'HPE_INVALID_CONSTANT',
		nodeMessage: 'Parse Error: Expected HTTP/',
		shownMessage: messages.notHttp,
	},
	// With a system call it is not n8n's own timeout.
	{
		code: 'ECONNABORTED',
		nodeMessage: 'write ECONNABORTED',
		syscall: 'write',
		shownMessage: messages.broke,
	},
	{
		code: 'ECONNRESET',
		nodeMessage: 'read ECONNRESET',
		syscall: 'read',
		shownMessage: messages.broke,
	},
	{ code: '', nodeMessage: 'socket hang up', shownMessage: messages.broke },
	{
		code: 'ERR_STREAM_PREMATURE_CLOSE',
		nodeMessage: 'Premature close',
		shownMessage: messages.broke,
	},
	{
		code: 'ETIMEDOUT',
		nodeMessage: 'read ETIMEDOUT',
		syscall: 'read',
		shownMessage: messages.broke,
	},
	{
		code: 'EHOSTUNREACH',
		nodeMessage: 'read EHOSTUNREACH',
		syscall: 'read',
		shownMessage: messages.unknown,
	},
	{
		code: 'ESOMETHING',
		nodeMessage: 'never seen before',
		shownMessage: messages.unknown,
	},
	// Codes that only resemble the ones above.
	{ code: 'X_EPROTO', nodeMessage: 'wrong version', shownMessage: messages.unknown },
	{
		code: 'X_Z_BUF_ERROR',
		nodeMessage: 'unexpected end',
		shownMessage: messages.unknown,
	},
	{ code: 'X_ECONNRESET', nodeMessage: 'read X', syscall: 'read', shownMessage: messages.unknown },
	{ code: 'ECONNRESETS', nodeMessage: 'read X', syscall: 'read', shownMessage: messages.unknown },
];
