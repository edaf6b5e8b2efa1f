import { audioNotReadable, audioReadFailed } from '../../nodes/VoiceSpeech/errors/audioError';
import { CallError } from '../../nodes/VoiceSpeech/errors/callError';
import { networkError, type ClientFault } from '../../nodes/VoiceSpeech/errors/networkError';

const notReached = 'The service could not be reached';
const notFound = "The host name of the credential's 'Base URL' was not found";
const unverified = "The service's certificate could not be verified";
const proxyClosed = 'The proxy closed the connection before it reached the service';
const notSecure = 'The secure connection to the service failed';
const closed = 'The service closed the connection during the upload';
const tooLate = "The service did not respond within the 'Timeout' of the request options";
const damaged = 'The compressed response is damaged or incomplete';
const notHttp = 'The service returned something that is not valid HTTP';
const broke = 'The connection broke before the response was complete';
const unknown = 'The call failed on the network';

/** The beginning of the advice, before the reason in parentheses. */
const advices: Record<string, string> = {
	[notReached]:
		"Check the credential's 'Base URL', that the service is running, and the firewall between n8n and the service.",
	[notFound]: 'Check it for a typo. If there is none, check the DNS of the server that runs n8n.',
	[unverified]: "Check the credential's 'Base URL'. If the certificate is your own,",
	[proxyClosed]: "Check 'Proxy' in the request options.",
	[notSecure]: "Check the credential's 'Base URL': its port may belong to another program,",
	[closed]: 'The file may be too large: send a shorter or compressed one.',
	[tooLate]: "Raise it, or remove it: then the option 'Answer Timeout (Seconds)' applies.",
	[damaged]: 'If it happens again, ask your provider.',
	[notHttp]: "Check the credential's 'Base URL': its port may belong to another program.",
	[broke]: 'Check the network between n8n and the service.',
	[unknown]: 'Check the network between n8n and the service.',
};

const faults: Array<[code: string, said: string, syscall: string, message: string]> = [
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', 'connect', notReached],
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', 'connect', notReached],
	['ENETUNREACH', 'connect ENETUNREACH 10.0.0.1:443', 'connect', notReached],
	['ENETDOWN', 'connect ENETDOWN 10.0.0.1:443', 'connect', notReached],
	['ENOTFOUND', 'getaddrinfo ENOTFOUND x.invalid', 'getaddrinfo', notFound],
	['EAI_AGAIN', 'getaddrinfo EAI_AGAIN x.invalid', 'getaddrinfo', notFound],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', '', unverified],
	['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in chain', '', unverified],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify', '', unverified],
	['CERT_HAS_EXPIRED', 'certificate has expired', '', unverified],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', '', unverified],
	['', 'Proxy connection ended before receiving CONNECT response', '', proxyClosed],
	['EPROTO', 'write EPROTO C0:error:0A00010B:SSL routines', 'write', notSecure],
	['EPROTO', 'read EPROTO C0:error:0A000126:SSL routines', 'read', notSecure],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'C0:error:0A00010B', '', notSecure],
	['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'C0:error:0A000410', '', notSecure],
	['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'C0:error:0A000119', '', notSecure],
	['ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake timeout', '', notSecure],
	['ECONNRESET', 'disconnected before secure TLS connection was established', '', notSecure],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', 'connect', notReached],
	['EADDRNOTAVAIL', 'connect EADDRNOTAVAIL 10.0.0.1:443', 'connect', notReached],
	['EPIPE', 'write EPIPE', 'write', closed],
	['ECONNABORTED', 'timeout of 150ms exceeded', '', tooLate],
	['ETIMEDOUT', 'timeout of 150ms exceeded', '', tooLate],
	['Z_BUF_ERROR', 'unexpected end of file', '', damaged],
	['Z_DATA_ERROR', 'incorrect header check', '', damaged],
	['ERR_BROTLI_DECODER_ERROR', 'Decompression failed', '', damaged],
	['ERR__ERROR_FORMAT_PADDING_1', 'Decompression failed', '', damaged],
	['HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/', '', notHttp],
	// With a system call it is not n8n's own timeout.
	['ECONNABORTED', 'write ECONNABORTED', 'write', broke],
	['ECONNRESET', 'read ECONNRESET', 'read', broke],
	['ECONNRESET', 'aborted', '', broke],
	['', 'socket hang up', '', broke],
	['ERR_STREAM_PREMATURE_CLOSE', 'Premature close', '', broke],
	['ETIMEDOUT', 'read ETIMEDOUT', 'read', broke],
	['EHOSTUNREACH', 'read EHOSTUNREACH', 'read', unknown],
	['ESOMETHING', 'never seen before', '', unknown],
	// Codes that only resemble the ones above.
	['X_EHOSTUNREACH', 'connect X_EHOSTUNREACH', 'connect', notReached],
	['EHOSTUNREACHABLE', 'connect EHOSTUNREACHABLE', 'connect', notReached],
	['X_EPROTO', 'wrong version', '', unknown],
	['X_Z_BUF_ERROR', 'unexpected end', '', unknown],
	['X_ECONNRESET', 'read X', 'read', unknown],
	['ECONNRESETS', 'read X', 'read', unknown],
];

const fault = (facts: Partial<ClientFault>): ClientFault => ({
	code: '',
	message: '',
	syscall: '',
	neverLeft: false,
	...facts,
});

it.each(faults)('%s, %s', (code, said, syscall, message) => {
	const error = networkError(fault({ code, message: said, syscall }));
	expect(error).toBeInstanceOf(CallError);
	expect(error.message).toBe(message);
	expect(error.status).toBeUndefined();
	expect(error.description?.startsWith(advices[message] ?? '?')).toBe(true);
	// Node's messages often start with the code.
	const reason = code === '' || said.startsWith(code) ? said : `${code}: ${said}`;
	expect(error.description?.endsWith(`(${reason})`)).toBe(true);
});

it.each([
	[true, 'none'],
	[false, 'possible'],
])('what the call cost follows only from whether it left: %s', (neverLeft, debit) => {
	for (const [code, message, syscall] of faults) {
		expect(networkError(fault({ code, message, syscall, neverLeft })).debit).toBe(debit);
	}
});

it('a fault without code and message', () => {
	const error = networkError(fault({}));
	expect(error).toMatchObject({
		message: unknown,
		description: 'Check the network between n8n and the service. (no reason was given)',
		debit: 'possible',
	});
});

it("n8n's own refusal is shown in its own words", () => {
	const refusal = { message: 'The host is blocked', description: 'Ask your administrator.' };
	const error = networkError(fault({ code: 'ECONNREFUSED', neverLeft: true, refusal }));
	expect(error).toMatchObject({ ...refusal, debit: 'none' });
});

it('audio that cannot be read says why, and what the call cost', () => {
	expect(audioNotReadable('ENOENT: no such file')).toMatchObject({
		message: 'The audio could not be read',
		description:
			'Check that the file, or the server it comes from, is still available (ENOENT: no such file).',
		debit: undefined,
	});
	expect(audioReadFailed('EIO: read EIO')).toMatchObject({
		message: 'The audio could not be read to its end',
		description:
			'The upload was stopped. Check that the file, or the server it comes from, is still available (EIO: read EIO).',
		debit: 'possible',
	});
});
