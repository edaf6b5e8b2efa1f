import { CallError, type Debit } from './callError';
import { reasonOf } from './reason';

/** What n8n's HTTP client reports of a request without a response. */
export interface ClientFault {
	/** Node's or OpenSSL's error code; empty where there is none. */
	code: string;
	message: string;
	/** The system call that failed, for example `connect`; empty where the fault is not of the system. */
	syscall: string;
	/** Whether the request provably never left n8n. */
	neverLeft: boolean;
	/** Set where n8n itself refused the request: its own message and advice. */
	refusal?: { message: string; description: string };
}

interface Explanation {
	message: string;
	advice: string;
}

const certificateCode =
	/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|ERR_TLS_CERT_)/;

/** Kinds of faults, the first that fits counts. */
const kinds: Array<Explanation & { fits: (fault: ClientFault) => boolean }> = [
	{
		fits: ({ code, syscall }) =>
			code === 'ECONNREFUSED' ||
			(syscall === 'connect' && /^E(HOST|NET)(UNREACH|DOWN)$/.test(code)),
		message: 'The service could not be reached',
		advice: "Check the credential's 'Base URL', and that the service is running.",
	},
	{
		fits: ({ code }) => code === 'ENOTFOUND' || code === 'EAI_AGAIN',
		message: "The host name of the credential's 'Base URL' was not found",
		advice: 'Check it for a typo, and check DNS.',
	},
	{
		fits: ({ code }) => certificateCode.test(code),
		message: "The service's certificate could not be verified",
		advice:
			"Check the credential's 'Base URL'. If the certificate is your own, turn on 'Ignore SSL Issues' in the request options.",
	},
	{
		fits: ({ message }) => /CONNECT response/i.test(message),
		message: 'The proxy closed the connection before it reached the service',
		advice: "Check 'Proxy' in the request options.",
	},
	{
		fits: ({ code, message }) =>
			/^(EPROTO|ERR_SSL_|ERR_TLS_)/.test(code) || message.includes('before secure TLS'),
		message: 'The secure connection to the service failed',
		advice:
			"Check the credential's 'Base URL': its port may belong to another program, or need plain 'http://'.",
	},
	{
		fits: ({ syscall }) => syscall === 'connect',
		message: 'The connection to the service was not established in time',
		advice: 'Try again later.',
	},
	{
		fits: ({ code }) => code === 'EPIPE',
		message: 'The service closed the connection during the upload',
		advice: 'The file may be too large for it.',
	},
	{
		// With a system call it is the network's own limit, not n8n's.
		fits: ({ code, syscall }) =>
			code === 'ECONNABORTED' || (code === 'ETIMEDOUT' && syscall === ''),
		message: "The service did not respond within the 'Timeout' of the request options",
		advice: "Raise it, or remove it: then the option 'Answer Timeout (Seconds)' applies.",
	},
	{
		fits: ({ code }) => /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/.test(code),
		message: 'The compressed response is damaged or incomplete',
		advice: '',
	},
	{
		fits: ({ code }) => code.startsWith('HPE_'),
		message: 'The service returned something that is not valid HTTP',
		advice: '',
	},
	{
		fits: ({ code, message }) =>
			/^(ECONNRESET|ETIMEDOUT)$/.test(code) ||
			/socket hang up|aborted|premature close/i.test(message),
		message: 'The connection broke before the response was complete',
		advice: '',
	},
];

const unknown: Explanation = { message: 'The call failed on the network', advice: '' };

/** The error for a request without a complete response, with what it cost by the fault's facts. */
export function networkError(fault: ClientFault): CallError {
	const debit: Debit = fault.neverLeft ? 'none' : 'possible';
	if (fault.refusal)
		return new CallError(fault.refusal.message, fault.refusal.description, { debit });
	const { message, advice } = kinds.find((kind) => kind.fits(fault)) ?? unknown;
	return new CallError(message, `${advice} (${reasonOf(fault)})`.trim(), { debit });
}

/** The error for a response that broke off, from the error of its stream. */
export function responseBroken(error: unknown): CallError {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	const text = (value: unknown) => (typeof value === 'string' ? value : '');
	return networkError({ code: text(code), message: text(message), syscall: '', neverLeft: false });
}
