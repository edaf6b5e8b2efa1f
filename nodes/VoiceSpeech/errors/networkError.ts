import { CallError } from './callError';
import { formatReason, textOrEmpty } from './quote';

/** What n8n's HTTP client reports of a request without a response. */
export interface ClientFault {
	/** Node's or OpenSSL's error code; empty if there is none. */
	code: string;
	message: string;
	/** The system call that failed, for example `connect`; empty if none did. */
	syscall: string;
	/** Whether the request provably never left n8n. */
	provablyUnsent: boolean;
	/** n8n's own message and advice, if n8n itself refused the request. */
	refusal?: { message: string; description: string } | undefined;
}

/** How the codes for a refused certificate start, as a regular expression. */
export const certificateCodes =
	'CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|ERR_TLS_CERT_';

type FaultExplanation = [pattern: RegExp, message: string, advice: string];

const notReached = 'The service could not be reached';

const notReachedAdvice =
	"Check the credential's 'Base URL', that the service is running, and the firewall between n8n and the service.";

/** Matched against `syscall code message`; the first match counts, the last row matches every fault. */
const faultExplanations: FaultExplanation[] = [
	[
		/^\S* ECONNREFUSED .*(127\.0\.0\.1|::1)/,
		notReached,
		`${notReachedAdvice} If n8n runs in a container, 'localhost' is the container itself: use the name or address of the machine that the service runs on (Docker Desktop: 'host.docker.internal').`,
	],
	[/^\S* ECONNREFUSED |^connect /, notReached, notReachedAdvice],
	[
		/^\S* (ENOTFOUND|EAI_AGAIN) /,
		"The host name of the credential's 'Base URL' was not found",
		'Check it for a typo. If there is none, check the DNS of the server that runs n8n.',
	],
	[
		new RegExp(`^\\S* (${certificateCodes})`),
		"The service's certificate could not be verified",
		"Check the credential's 'Base URL'. If a certificate authority of your own issued it, start n8n with NODE_EXTRA_CA_CERTS=/path/to/ca.pem.",
	],
	[
		/CONNECT response/i,
		'The proxy closed the connection before it reached the service',
		"Check 'Proxy' in the request options.",
	],
	[
		/^\S* (EPROTO|ERR_SSL_|ERR_TLS_)|before secure TLS/,
		'The secure connection to the service failed',
		"Check the credential's 'Base URL': its port may belong to another program, or need plain 'http://'.",
	],
	[
		/^\S* EPIPE /,
		'The service closed the connection during the upload',
		'The file may be too large: send a shorter or compressed one.',
	],
	[
		// With a system call it is the network's own limit, not n8n's.
		/^ (ECONNABORTED|ETIMEDOUT) /,
		"The service did not respond within the 'Timeout' of the request options",
		"Raise it, or remove it: then the option 'Answer Timeout (Seconds)' applies.",
	],
	[
		/^\S* (Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/,
		'The compressed response is damaged or incomplete',
		'If it happens again, ask your provider.',
	],
	[
		/^\S* HPE_/,
		'The service returned something that is not valid HTTP',
		"Check the credential's 'Base URL': its port may belong to another program.",
	],
	[
		/^\S* (ECONNABORTED|ECONNRESET|ETIMEDOUT) |socket hang up|aborted|premature close/i,
		'The connection broke before the response was complete',
		'Check the network between n8n and the service.',
	],
	[/^/, 'The call failed on the network', 'Check the network between n8n and the service.'],
];

/** The error for a request without a complete response, with whether it was debited, by the fault's facts. */
export function networkError(fault: ClientFault): CallError {
	const payment = fault.provablyUnsent ? 'notSent' : 'possible';
	const { code, syscall, refusal } = fault;
	if (refusal) return new CallError(refusal.message, refusal.description, { payment });
	const summary = `${syscall} ${code} ${fault.message}`;
	const [, message, advice] = faultExplanations.find(([pattern]) =>
		pattern.test(summary),
	) as FaultExplanation;
	return new CallError(message, `${advice} (${formatReason(fault)})`, { payment });
}

/** The error for a response that broke off, from the error of its stream. */
export function responseBrokenError(error: unknown): CallError {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	const texts = { code: textOrEmpty(code), message: textOrEmpty(message) };
	return networkError({ ...texts, syscall: '', provablyUnsent: false });
}
