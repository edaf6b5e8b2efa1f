import { brokenOff, faultText, recordingBroke } from '../../nodes/VoiceSpeech/errors/network';

/** A fault as Node's sockets report it. */
function fault(code: string, message: string, syscall?: string): Error {
	return Object.assign(new Error(message), { code, ...(syscall ? { syscall } : {}) });
}

/** As n8n 2 hands it on: wrapped, with its cause. */
function wrapped(error: Error): Error {
	return new Error('The connection cannot be established', {
		cause: Object.assign(new Error('wrapper'), { cause: error }),
	});
}

/** As older n8n hands it on: its code in place of a status, its sentence among the messages. */
function asBefore({ message, ...about }: Error & { code?: string }): Error {
	return Object.assign(new Error('The connection cannot be established'), {
		httpCode: about.code,
		messages: [message],
	});
}

const notReached = 'The service could not be reached';
const notFound = "The host name of the credential's 'Base URL' was not found";
const unverified = "The service's certificate could not be verified";
const notSecure = 'No secure connection to the service could be made';
const notMade = 'The connection to the service was not made in time';
const closed = 'The service closed the connection while the recording was being sent';
const tooLate = "The service did not answer within the 'Timeout' of the request options";
const damaged = 'The compressed answer is damaged or not complete';
const noHttp = 'The service answered with something that is not valid HTTP';
const broke = 'The connection broke before the answer was complete';
const unknown = 'The call did not get through';

/** With what the advice begins, before what the call may have cost. */
const advices: Record<string, string> = {
	[notReached]: "Check the credential's 'Base URL', and that the service is running.",
	[notFound]: "Check it for a typing slip, and the network's name service.",
	[unverified]: "Check the credential's 'Base URL'. For a certificate of your own,",
	[notSecure]: "Check the credential's 'Base URL': its port may belong to something else,",
	[notMade]: 'Try again later.',
	[closed]: 'The file may be too large for it.',
	[tooLate]: "Raise it or remove it: without it the node waits as long as 'Answer Timeout",
	...Object.fromEntries([damaged, noHttp, broke, unknown].map((what) => [what, 'The call may'])),
};

const faults: Array<[Error, message: string, debited: boolean]> = [
	[fault('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', 'connect'), notReached, false],
	[fault('EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', 'connect'), notReached, false],
	[fault('ENETUNREACH', 'connect ENETUNREACH 10.0.0.1:443', 'connect'), notReached, false],
	[fault('ENETDOWN', 'connect ENETDOWN 10.0.0.1:443', 'connect'), notReached, false],
	[fault('ENOTFOUND', 'getaddrinfo ENOTFOUND x.invalid', 'getaddrinfo'), notFound, false],
	[fault('EAI_AGAIN', 'getaddrinfo EAI_AGAIN x.invalid', 'getaddrinfo'), notFound, false],
	[fault('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'), unverified, false],
	[fault('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in chain'), unverified, false],
	[fault('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify'), unverified, false],
	[fault('CERT_HAS_EXPIRED', 'certificate has expired'), unverified, false],
	[fault('ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match'), unverified, false],
	[
		fault('EPROTO', 'write EPROTO C0:error:0A00010B:SSL routines:wrong version number', 'write'),
		notSecure,
		false,
	],
	[fault('ERR_SSL_WRONG_VERSION_NUMBER', 'C0:error:0A00010B'), notSecure, false],
	[fault('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'C0:error:0A000410'), notSecure, false],
	[fault('ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS took too long'), notSecure, false],
	[fault('ERR_SSL_PACKET_LENGTH_TOO_LONG', 'C0:error:0A0000C6'), notSecure, false],
	[
		fault(
			'ECONNRESET',
			'Client network socket disconnected before secure TLS connection was established',
		),
		notSecure,
		false,
	],
	[fault('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', 'connect'), notMade, false],
	[fault('EADDRNOTAVAIL', 'connect EADDRNOTAVAIL 10.0.0.1:443', 'connect'), notMade, false],
	[fault('EPIPE', 'write EPIPE', 'write'), closed, true],
	[fault('ECONNABORTED', 'timeout of 150ms exceeded'), tooLate, true],
	[fault('ETIMEDOUT', 'timeout of 150ms exceeded'), tooLate, true],
	[fault('Z_BUF_ERROR', 'unexpected end of file'), damaged, true],
	[fault('Z_DATA_ERROR', 'incorrect header check'), damaged, true],
	[fault('ERR_BROTLI_DECODER_ERROR', 'Decompression broke off'), damaged, true],
	[fault('HPE_INVALID_CONSTANT', 'Parse: Expected HTTP/'), noHttp, true],
	[fault('ECONNRESET', 'read ECONNRESET', 'read'), broke, true],
	[fault('ECONNRESET', 'aborted'), broke, true],
	[fault('', 'socket hang up'), broke, true],
	[fault('ERR_STREAM_PREMATURE_CLOSE', 'Premature close'), broke, true],
	// What may have come after the request was sent is not said to have come before.
	[fault('ETIMEDOUT', 'read ETIMEDOUT', 'read'), broke, true],
	[fault('EHOSTUNREACH', 'read EHOSTUNREACH', 'read'), unknown, true],
	[fault('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'C0:error:0A000119'), unknown, true],
	[
		fault('EPROTO', 'read EPROTO C0:error:0A000126:SSL routines:unexpected eof', 'read'),
		unknown,
		true,
	],
	[fault('ESOMETHING', 'never seen before'), unknown, true],
	// Codes and sentences that only resemble the ones above.
	[fault('ETIMEDOUT', 'timeout, no connect after 150ms'), tooLate, true],
	[fault('X_EHOSTUNREACH', 'connect X_EHOSTUNREACH', 'connect'), notMade, false],
	[fault('EHOSTUNREACHABLE', 'connect EHOSTUNREACHABLE', 'connect'), notMade, false],
	[fault('X_EPROTO', 'wrong version'), unknown, true],
	[fault('X_Z_BUF_ERROR', 'unexpected end'), unknown, true],
	[fault('X_ECONNRESET', 'read X', 'read'), unknown, true],
	[fault('ECONNRESETS', 'read X', 'read'), unknown, true],
];

const named = faults.map(([error, message, debited]) => ({
	what: error.message,
	error,
	message,
	debited,
}));

describe.each<[string, (error: Error) => Error]>([
	['as it is', (error) => error],
	['in the wrappers of n8n 2', wrapped],
])('a fault %s', (_how, wrap) => {
	it.each(named)('$what', ({ error, message, debited }) => {
		const shown = brokenOff(wrap(error));
		expect(shown.message).toBe(message);
		expect(shown.description).toContain(
			debited
				? "The call may have been debited: look into the usage dashboard of the service's console"
				: 'Nothing was sent, so nothing was debited.',
		);
		expect(shown.description?.startsWith(`${advices[message]} `)).toBe(true);
		const code = (error as { code?: string }).code ?? '';
		expect(shown.description?.endsWith(` (${code ? `${code}: ` : ''}${error.message})`)).toBe(true);
		expect(shown.status).toBeUndefined();
		expect(shown.endsRun).toBe(false);
	});
});

it.each(named)('in the wrapper of older n8n: $what', ({ error, message }) => {
	expect(brokenOff(asBefore(error)).message).toBe(message);
});

it.each([undefined, null, 'text', 7, {}, new Error('')])(
	'a fault that says nothing: %p',
	(error) => {
		const shown = brokenOff(error);
		expect(shown.message).toBe(unknown);
		expect(shown.description).toMatch(/^The call may have been debited.*by itself\.$/);
		expect(faultText(error)).toBe('no reason was given');
	},
);

it('a status in place of the code is none', () => {
	const error = Object.assign(new Error('Bad gateway'), { httpCode: '502' });
	expect(faultText(error)).toBe('Bad gateway');
});

it('a fault that goes round in circles ends', () => {
	const circle = fault('EPIPE', 'write EPIPE') as Error & { cause?: unknown };
	circle.cause = circle;
	expect(brokenOff(circle).message).toBe(closed);
});

it('a recording that breaks off says so, and why', () => {
	const { message, description } = recordingBroke(fault('EIO', 'read EIO', 'read'));
	expect(message).toBe('The recording could not be read to its end');
	expect(description).toMatch(
		/^The upload was broken off \(EIO: read EIO\)\. .*may have been debited/,
	);
});
