import { UserError } from 'n8n-workflow';

import type { ClientFault } from '../errors/networkError';
import { formatReason } from '../errors/quote';
import { maxCauses } from '../limits';
import { toStringOrEmpty } from '../text/json';

/*
 * n8n wraps the error of its HTTP client (axios) in NodeApiError, and keeps the client's error as `cause`.
 * Older versions of n8n keep only its code, as `httpCode`, and its message, in `messages`. Wherever a property is missing,
 * the fault counts as one that may have happened after the request was sent. test/engine/connection.test.mts checks this on
 * every n8n of test/support/n8nVersions.mts.
 */

type Wrapper = Record<string, unknown>;

function listCauses(error: unknown): Wrapper[] {
	const chain: Wrapper[] = [];
	let current = error;
	while (chain.length < maxCauses && typeof current === 'object' && current !== null) {
		const wrapper = current as Wrapper;
		chain.push(wrapper);
		current = wrapper.cause;
	}
	return chain;
}

function getFirstEntry(list: unknown): unknown {
	return Array.isArray(list) ? (list as unknown[])[0] : undefined;
}

/** The last text that is not empty, because the innermost error names the fault best. */
function readInnermost(chain: Wrapper[], read: (error: Wrapper) => string): string {
	const texts = chain.map(read).filter((text) => text !== '');
	return texts.at(-1) ?? '';
}

/** In n8n's wrapper, `httpCode` is the code or a status. */
function readCode({ code, httpCode }: Wrapper): string {
	return toStringOrEmpty(code) || toStringOrEmpty(httpCode).replace(/^(\d.*|null)/, '');
}

function readMessage({ message, messages }: Wrapper): string {
	return toStringOrEmpty(getFirstEntry(messages)) || toStringOrEmpty(message);
}

/** If all addresses of a host were tried, Node reports a fault for each, as `errors`. */
function readSyscall({ syscall, errors }: Wrapper): string {
	const first = getFirstEntry(errors) as Wrapper | undefined;
	return toStringOrEmpty(syscall) || toStringOrEmpty(first?.syscall);
}

/** What is used of Node's ClientRequest. */
interface ClientRequest {
	protocol?: string;
	socket: { connecting?: boolean; secureConnecting?: boolean; encrypted?: boolean } | null;
}

/**
 * Whether the socket of the request could not carry it. A request has no socket until the connection is established,
 * through the proxy too.
 */
function isUnconnected({ request }: Wrapper): boolean {
	if (typeof request !== 'object' || request === null || !('socket' in request)) return false;
	const { protocol, socket } = request as ClientRequest;
	if (!socket || socket.connecting === true || socket.secureConnecting === true) return true;
	// If a proxy refuses to connect (CONNECT), n8n's proxy agent makes a socket without TLS of its response.
	return protocol === 'https:' && socket.encrypted !== true;
}

/**
 * A UserError comes from n8n's protection of internal addresses (SSRF), its domain restrictions, or the credential's
 * `authenticate`, which all run before the request is sent.
 */
function findN8nError(chain: Wrapper[]): ClientFault['n8nError'] {
	const found = chain.find((error) => error instanceof UserError);
	if (found === undefined) return undefined;
	return {
		message: toStringOrEmpty(found.message),
		description: toStringOrEmpty(found.description),
	};
}

/** Reads what an error of n8n's HTTP client reports. */
export function readClientFault(error: unknown): ClientFault {
	const chain = listCauses(error);
	const message = readInnermost(chain, readMessage);
	const syscallInMessage = /^(connect|getaddrinfo|read|write) /.exec(message)?.[1] ?? '';
	return {
		code: readInnermost(chain, readCode),
		message,
		syscall: readInnermost(chain, readSyscall) || syscallInMessage,
		isUnconnected: chain.some(isUnconnected),
		n8nError: findN8nError(chain),
	};
}

/** Formats a fault as one text, which is n8n's own message with its advice, or the client's code and message. */
export function formatFault({ n8nError, code, message }: ClientFault): string {
	if (n8nError) return `${n8nError.message}. ${n8nError.description}`;
	return formatReason({ code, message });
}
