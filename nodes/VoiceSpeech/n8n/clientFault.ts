import { UserError } from 'n8n-workflow';

import { certificateCodes, type ClientFault } from '../errors/networkError';
import { formatReason, textOrEmpty } from '../errors/quote';
import { maxCauses } from '../limits';

/*
 * n8n wraps the error of its HTTP client (axios) in NodeApiError. Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with
 * test/errors/debits.test.ts. n8n 2.41.1 keeps the client's error as `cause`; the older two keep only its code, as
 * `httpCode`, and its message, in `messages`. Wherever a property is missing, the fault counts as one that may have
 * happened after the request was sent.
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

const firstEntry = (list: unknown) => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

/** The last non-empty text in the chain, because the innermost error names the fault best. */
function findInnermost(chain: Wrapper[], textOf: (error: Wrapper) => string): string {
	return chain.reduce((found, error) => textOf(error) || found, '');
}

/** In n8n's wrapper, `httpCode` is the code or a status. */
const readCode = ({ code, httpCode }: Wrapper) =>
	textOrEmpty(code) || textOrEmpty(httpCode).replace(/^(\d.*|null)/, '');

const readMessage = ({ message, messages }: Wrapper) =>
	textOrEmpty(firstEntry(messages)) || textOrEmpty(message);

/** `errors`: all addresses of the host were tried, and Node reports a fault for each. */
const readSyscall = ({ syscall, errors }: Wrapper) =>
	textOrEmpty(syscall) || textOrEmpty((firstEntry(errors) as Wrapper | undefined)?.syscall);

/**
 * Whether the socket of the request (Node's ClientRequest) could not carry it yet. It is missing until the connection,
 * through the proxy too, is established.
 */
function isUnconnected({ request }: Wrapper): boolean {
	if (typeof request !== 'object' || request === null || !('socket' in request)) return false;
	const socket = request.socket as { connecting?: boolean; secureConnecting?: boolean } | null;
	return !socket || socket.connecting === true || socket.secureConnecting === true;
}

/**
 * A UserError comes from n8n's protection of internal addresses (SSRF), its domain restrictions, or the credential's
 * `authenticate`: all of them before the request is sent.
 */
function findRefusal(chain: Wrapper[]): ClientFault['refusal'] {
	const found = chain.find((error) => error instanceof UserError);
	return (
		found && { message: textOrEmpty(found.message), description: textOrEmpty(found.description) }
	);
}

const unsentCode = new RegExp(`^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|${certificateCodes})`);

/** Messages of Node and of n8n's proxy agent that occur only before the request is sent. */
const unsentMessage = /before secure TLS|^Proxy connection ended before receiving CONNECT/;

/** If n8n kept the cause and no error of the chain has `isAxiosError`, axios never had the request. */
const isBeforeClient = (chain: Wrapper[]) =>
	chain.length > 1 && chain.every(({ isAxiosError }) => isAxiosError !== true);

/** What an error of n8n's HTTP client reports, and whether it proves that the request never left n8n. */
export function readClientFault(error: unknown): ClientFault {
	const chain = listCauses(error);
	const code = findInnermost(chain, readCode);
	const message = findInnermost(chain, readMessage);
	const syscall =
		findInnermost(chain, readSyscall) || (/^(connect|read|write) /.exec(message)?.[1] ?? '');
	const refusal = findRefusal(chain);
	const provablyUnsent =
		refusal !== undefined ||
		isBeforeClient(chain) ||
		syscall === 'connect' ||
		unsentCode.test(code) ||
		unsentMessage.test(message) ||
		chain.some(isUnconnected);
	return { code, message, syscall, provablyUnsent, refusal };
}

/** Formats a fault as one text, which is n8n's own refusal with its advice, or the client's code and message. */
export function formatFault({ refusal, code, message }: ClientFault): string {
	if (refusal) return `${refusal.message}. ${refusal.description}`;
	return formatReason({ code, message });
}
