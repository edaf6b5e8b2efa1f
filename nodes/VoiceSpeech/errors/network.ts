import { CallError, maybeDebited, nothingDebited } from './callError';

/** A fault on the way: what n8n's HTTP client reports, whichever wrapper it comes in. */
interface Fault {
	code: string;
	message: string;
	syscall: string;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** What one of the wrappers (n8n's error, the client's error) says. */
function faultOf(wrapper: Record<string, unknown>): Fault {
	const { code, httpCode, message, messages, syscall } = wrapper;
	// Older n8n keeps no cause: only its code, in place of a status, and its sentence among the messages.
	const sentence = Array.isArray(messages) ? text(messages[0]) : '';
	return {
		code: text(code) || text(httpCode).replace(/^\d.*/, ''),
		message: sentence || text(message),
		syscall: text(syscall) || (/^(connect|read|write) /.exec(sentence)?.[1] ?? ''),
	};
}

/** Looks through the wrappers for the one that names the fault. */
function faultIn(error: unknown): Fault {
	let found: Fault = { code: '', message: '', syscall: '' };
	let current: unknown = error;
	for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
		const inner = faultOf(current as Record<string, unknown>);
		found = {
			code: inner.code || found.code,
			message: inner.message || found.message,
			syscall: inner.syscall || found.syscall,
		};
		current = (current as { cause?: unknown }).cause;
	}
	return found;
}

const certificate =
	/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|ERR_TLS_CERT_)/;

/** Faults of TLS before anything could be sent; others of the same codes may come later. */
function isHandshake(code: string, message: string): boolean {
	if (message.includes('before secure TLS') || code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return true;
	return (
		/^(EPROTO|ERR_SSL_)/.test(code) &&
		/handshake|version|protocol|cipher|packet.length|http.request/i.test(code + message)
	);
}

/** Of connections that were not made: nothing of the request has left n8n. */
function explainUnconnected({ code, syscall, message }: Fault): [string, string] | undefined {
	const isConnecting = syscall === 'connect';
	if (code === 'ECONNREFUSED' || (isConnecting && /^E(HOST|NET)(UNREACH|DOWN)$/.test(code))) {
		return [
			'The service could not be reached',
			"Check the credential's 'Base URL', and that the service is running.",
		];
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return [
			"The host name of the credential's 'Base URL' was not found",
			"Check it for a typing slip, and the network's name service.",
		];
	}
	if (certificate.test(code)) {
		return [
			"The service's certificate could not be verified",
			"Check the credential's 'Base URL'. For a certificate of your own, set 'Ignore SSL Issues' in the request options.",
		];
	}
	if (isHandshake(code, message)) {
		return [
			'No secure connection to the service could be made',
			"Check the credential's 'Base URL': its port may belong to something else, or want plain 'http://'.",
		];
	}
	return isConnecting
		? ['The connection to the service was not made in time', 'Try again later.']
		: undefined;
}

/** Of connections that broke: the service may have done its work. */
function explainBroken({ code, message, syscall }: Fault): [string, string] {
	if (code === 'EPIPE') {
		return [
			'The service closed the connection while the recording was being sent',
			'The file may be too large for it.',
		];
	}
	// With a system call it is the network's own limit, and not n8n's.
	if (code === 'ECONNABORTED' || (code === 'ETIMEDOUT' && syscall === '')) {
		return [
			"The service did not answer within the 'Timeout' of the request options",
			"Raise it or remove it: without it the node waits as long as 'Answer Timeout (Seconds)' says.",
		];
	}
	if (/^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/.test(code)) {
		return ['The compressed answer is damaged or not complete', ''];
	}
	if (code.startsWith('HPE_')) {
		return ['The service answered with something that is not valid HTTP', ''];
	}
	if (
		/^(ECONNRESET|ETIMEDOUT)$/.test(code) ||
		/socket hang up|aborted|premature close/i.test(message)
	) {
		return ['The connection broke before the answer was complete', ''];
	}
	return ['The call did not get through', ''];
}

function explain(fault: Fault): [what: string, whatNext: string] {
	const unconnected = explainUnconnected(fault);
	if (unconnected) return [unconnected[0], `${unconnected[1]} ${nothingDebited}`];
	const [what, whatNext] = explainBroken(fault);
	return [what, `${whatNext} ${maybeDebited}`.trim()];
}

function detailOf({ code, message }: Fault): string {
	return [code, message].filter((part) => part !== '').join(': ');
}

/** The fault as the HTTP client, or the file system, puts it. */
export function faultText(error: unknown): string {
	return detailOf(faultIn(error)) || 'no reason was given';
}

/** The error for a call that was cut off on its way, with what it may have cost. */
export function brokenOff(error: unknown): CallError {
	const fault = faultIn(error);
	const [what, whatNext] = explain(fault);
	const detail = detailOf(fault);
	return new CallError(what, detail === '' ? whatNext : `${whatNext} (${detail})`);
}

/** The recording could not be opened, or not even its first bytes be read: the service was not called. */
export function recordingUnreadable(error: unknown): CallError {
	return new CallError(
		'The recording could not be read',
		`Check that the file, or the server it comes from, is still there (${faultText(error)}). ${nothingDebited}`,
	);
}

/** The recording itself could not be read to its end while it was being sent. */
export function recordingBroke(error: unknown): CallError {
	return new CallError(
		'The recording could not be read to its end',
		`The upload was broken off (${faultText(error)}). Check that the file, or the server it comes from, is still there. ${maybeDebited}`,
	);
}
