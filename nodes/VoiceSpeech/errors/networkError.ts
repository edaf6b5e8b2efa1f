import type { UserError } from 'n8n-workflow';

import { toStringOrEmpty } from '../text/json';
import { CallError, ExplainedError } from './bases';
import { formatReason, formatSeconds, joinTexts } from './quote';

/** The phases of a call that have a time limit. */
export type CallPhase = 'opening' | 'upload' | 'responseStart' | 'response';

/** A limit of a phase, or n8n's own 'Timeout', which limits the time to the response. */
export type CallLimit = CallPhase | 'timeout';

/** The response did not begin within n8n's own 'Timeout'. */
const timeoutExplanation = {
	message: "The service did not respond within the 'Timeout' of the request options",
	advice: "Raise it, or remove it: then the option 'Response Timeout (Seconds)' applies.",
};

/** A call exceeded one of its limits. */
export function createTimeoutError(exceeded: CallLimit, limitSeconds: number): UserError {
	const limit = formatSeconds(limitSeconds);
	switch (exceeded) {
		case 'opening':
			return new ExplainedError(
				`The audio stalled for ${limit} before the upload began`,
				'Check the server that the audio comes from.',
			);
		case 'upload':
			return new ExplainedError(
				`The upload stalled for ${limit} and was stopped`,
				'Check the network, and the server that the audio comes from.',
			);
		case 'responseStart':
			return new ExplainedError(
				`The service did not respond within ${limit} after the upload`,
				"If long recordings or texts need more time, raise the option 'Response Timeout (Seconds)'.",
			);
		case 'timeout':
			return new ExplainedError(timeoutExplanation.message, timeoutExplanation.advice);
		case 'response':
			return new ExplainedError(
				`The response stalled for ${limit} and was stopped`,
				'Try again later.',
			);
	}
}

/** What n8n's HTTP client reports of a request without a complete response. */
export interface ClientFault {
	/** Node's or OpenSSL's error code; empty if there is none. */
	code: string;
	message: string;
	/** The system call that failed, for example `connect`; empty if none did. */
	syscall: string;
	/** Whether the request had no connection that could carry it, which proves that it never left n8n. */
	isUnconnected: boolean;
	/** The message and the advice of n8n, if n8n itself stopped the request before it left. */
	n8nError?: { message: string; description: string } | undefined;
}

interface FaultExplanation {
	message: string;
	advice: string;
	/** Whether the advice names 'Proxy' already. */
	namesProxy?: boolean;
}

interface ExplainedFault extends FaultExplanation {
	matches(fault: ClientFault): boolean;
}

const notReached = 'The service could not be reached';

const notReachedAdvice =
	"Check the credential's 'Base URL'. If it is correct, ask your n8n administrator to check the firewall between n8n and the service, and your provider whether the service is running.";

const notReachedInTime = 'The service could not be reached in time';

const notReachedInTimeAdvice = `${notReachedAdvice} If 'Timeout' or 'Response Timeout (Seconds)' is short, raise it.`;

const tlsFailed = {
	message: 'The secure connection to the service failed',
	advice:
		"Check the credential's 'Base URL': its port may belong to another program, or need plain 'http://'.",
};

const checkProxyAdvice = "Also check 'Proxy' in the request options.";

const checkNetworkAdvice =
	'Ask your n8n administrator to check the network between n8n and the service.';

const otherExplanation: FaultExplanation = {
	message: 'The connection to the service failed',
	advice: checkNetworkAdvice,
};

const certificateCode =
	/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|ERR_TLS_CERT_)/;

/** Codes of TLS errors, which can occur during the handshake or after it. */
const tlsCode = /^(EPROTO$|ERR_SSL_|ERR_TLS_)/;

/** Messages of n8n's proxy agent, which sends the request only after a valid response to CONNECT. */
const invalidConnectResponse =
	/^(Proxy connection ended before receiving|(No|Invalid) header .*from proxy) CONNECT response/;

/** Faults that occur only before the request is sent, so it never left n8n. The first one that matches counts. */
const faultsBeforeSending: ExplainedFault[] = [
	{
		matches: ({ code, message }) =>
			code === 'ECONNREFUSED' && / (127\.0\.0\.1|::1):\d/.test(message),
		message: notReached,
		advice: `${notReachedAdvice} If n8n runs in a container, 'localhost' is the container itself: use the name or address of the machine that the service runs on (Docker Desktop: 'host.docker.internal').`,
	},
	{
		matches: ({ code, syscall }) => code === 'ECONNREFUSED' || syscall === 'connect',
		message: notReached,
		advice: notReachedAdvice,
	},
	{
		matches: ({ code, isUnconnected }) => isTimeoutCode(code) && isUnconnected,
		message: notReachedInTime,
		advice: notReachedInTimeAdvice,
	},
	{
		matches: ({ code }) => code === 'ENOTFOUND' || code.startsWith('EAI_'),
		message: 'The host name of the service or of a proxy was not found',
		advice:
			"Check the credential's 'Base URL' for a typo, and 'Proxy' in the request options if it is set. If there is none, ask your n8n administrator to check the DNS and the proxy of the server that runs n8n.",
		namesProxy: true,
	},
	{
		matches: ({ code }) => certificateCode.test(code),
		message: "The service's certificate could not be verified",
		advice:
			"Check the credential's 'Base URL'. If a certificate authority of your own issued it, ask your n8n administrator to start n8n with NODE_EXTRA_CA_CERTS=/path/to/ca.pem.",
	},
	{
		// n8n's proxy agent decodes user and password of the proxy before it connects. The node encodes those of 'Proxy'.
		matches: ({ message }) => /^URI malformed$/.test(message),
		message: 'The address of the proxy is not valid',
		advice:
			"Ask your n8n administrator to correct the proxy of the server that runs n8n: in its user name and password, write '%25' for '%'.",
		namesProxy: true,
	},
	{
		matches: ({ message }) => invalidConnectResponse.test(message),
		message: 'The proxy did not connect to the service',
		advice: "Check 'Proxy' in the request options.",
		namesProxy: true,
	},
	{
		matches: ({ code, message, isUnconnected }) =>
			message.includes('before secure TLS') || (isUnconnected && tlsCode.test(code)),
		...tlsFailed,
	},
	{
		matches: ({ isUnconnected }) => isUnconnected,
		message: notReached,
		advice: notReachedAdvice,
	},
	{
		// The lookup itself failed, for example because n8n has too many open files.
		matches: ({ syscall }) => syscall === 'getaddrinfo',
		...otherExplanation,
	},
];

/** Faults whose request may have been sent. The first one that matches counts. */
const otherFaults: ExplainedFault[] = [
	{
		matches: ({ code }) => tlsCode.test(code),
		...tlsFailed,
	},
	{
		matches: ({ code }) => code === 'EPIPE',
		message: 'The service closed the connection during the upload',
		advice: 'The file may be too large: send a shorter or compressed one.',
	},
	{
		// With a system call it is the network's own limit, not n8n's.
		matches: ({ code, syscall }) => isTimeoutCode(code) && syscall === '',
		...timeoutExplanation,
	},
	{
		matches: ({ code }) => code === 'HPE_HEADER_OVERFLOW',
		message: 'The headers of the response are too long',
		advice:
			'Ask your provider, and the person who runs a proxy in between, which headers they add.',
	},
	{
		matches: ({ code }) => code.startsWith('HPE_'),
		message: 'The service returned something that is not valid HTTP',
		advice:
			"Check the credential's 'Base URL': its port may belong to another program. Otherwise a proxy in between may damage the response.",
	},
	{
		matches: ({ code, message }) =>
			isTimeoutCode(code) ||
			code === 'ECONNRESET' ||
			/socket hang up|aborted|premature close/i.test(message),
		message: 'The connection broke before the response was complete',
		advice: checkNetworkAdvice,
	},
];

function isTimeoutCode(code: string): boolean {
	return code === 'ECONNABORTED' || code === 'ETIMEDOUT';
}

/** Explains a fault, with the reason in parentheses, and tells whether it proves that nothing was sent. */
function explainFault(fault: ClientFault, hasProxy: boolean) {
	const isMatch = ({ matches }: ExplainedFault) => matches(fault);
	const unsentFault = faultsBeforeSending.find(isMatch);
	const explanation = unsentFault ?? otherFaults.find(isMatch) ?? otherExplanation;
	const { message, advice, namesProxy = false } = explanation;
	const proxyAdvice = hasProxy && !namesProxy ? checkProxyAdvice : '';
	const description = joinTexts([advice, proxyAdvice, `(${formatReason(fault)})`]);
	return { message, description, provesUnsent: unsentFault !== undefined };
}

/**
 * Creates the error of a request without a complete response. The fault decides what is known of its debit.
 *
 * @param hasProxy whether the request went through a proxy of the request options
 */
export function createNetworkError(fault: ClientFault, hasProxy = false): CallError {
	const { n8nError } = fault;
	if (n8nError) return new CallError(n8nError.message, n8nError.description, { debit: 'notSent' });
	const { message, description, provesUnsent } = explainFault(fault, hasProxy);
	return new CallError(message, description, { debit: provesUnsent ? 'notSent' : 'possible' });
}

/** A limit of this node has ended a request that was not connected yet, so it was never sent. */
export function createNotReachedInTimeError(hasProxy: boolean): CallError {
	const advice = joinTexts([notReachedInTimeAdvice, hasProxy ? checkProxyAdvice : '']);
	return new CallError(notReachedInTime, advice, { debit: 'notSent' });
}

/**
 * The error for a response that broke off, from the error of its stream. Its request was sent.
 *
 * @param hasProxy whether the request went through a proxy of the request options
 */
export function createBrokenResponseError(error: unknown, hasProxy: boolean): CallError {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	const fault = {
		code: toStringOrEmpty(code),
		message: toStringOrEmpty(message),
		// n8n's own 'Timeout' ends with the start of the response, so any fault is one of reading it.
		syscall: 'read',
		isUnconnected: false,
	};
	const explanation = explainFault(fault, hasProxy);
	return new CallError(explanation.message, explanation.description, { debit: 'possible' });
}
