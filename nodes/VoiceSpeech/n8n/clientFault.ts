import { UserError } from 'n8n-workflow';

import { certificateCodes, type ClientFault } from '../errors/networkError';
import { reasonOf } from '../errors/reason';
import { maxCauses } from '../limits';

/*
 * n8n wraps the error of its HTTP client (axios) in NodeApiError. Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with
 * test/errors/debits.test.ts. n8n 2.41.1 keeps the client's error as `cause`; the older two keep only its code, as
 * `httpCode`, and its message, in `messages`. Wherever a property is missing, the fault counts as one that may have
 * happened after the request was sent.
 */

interface Wrapper {
	code?: unknown;
	httpCode?: unknown;
	message?: unknown;
	description?: unknown;
	messages?: unknown;
	syscall?: unknown;
	errors?: unknown;
	cause?: unknown;
	/** Set on every error of axios. */
	isAxiosError?: unknown;
	/** Node's ClientRequest; its socket is missing until the connection, through the proxy too, is established. */
	request?: { socket?: { connecting?: boolean; secureConnecting?: boolean } | null };
}

function causesOf(error: unknown): Wrapper[] {
	const chain: Wrapper[] = [];
	for (let current = error; chain.length < maxCauses; current = chain.at(-1)?.cause) {
		if (typeof current !== 'object' || current === null) break;
		chain.push(current);
	}
	return chain;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

const first = (list: unknown) => (Array.isArray(list) ? (list as unknown[])[0] : undefined);

/** The last non-empty text in the chain: the innermost error names the fault best. */
function innermost(chain: Wrapper[], textOf: (error: Wrapper) => string): string {
	return (
		chain
			.map(textOf)
			.filter((found) => found !== '')
			.at(-1) ?? ''
	);
}

/** In n8n's wrapper, `httpCode` is the code, or a status in its place. */
const codeOf = ({ code, httpCode }: Wrapper) =>
	text(code) || text(httpCode).replace(/^(\d.*|null)/, '');

const messageOf = ({ message, messages }: Wrapper) => text(first(messages)) || text(message);

/** `errors`: all addresses of the host were tried, and Node reports a fault for each. */
const syscallOf = ({ syscall, errors }: Wrapper) =>
	text(syscall) || text((first(errors) as Wrapper | undefined)?.syscall);

/** Whether the socket, by Node's own state, could not carry the request yet. */
function isUnconnected({ request }: Wrapper): boolean {
	if (request === undefined || !('socket' in request)) return false;
	const { socket } = request;
	return !socket || socket.connecting === true || socket.secureConnecting === true;
}

/**
 * A UserError comes from n8n's protection of internal addresses (SSRF), its domain restrictions, or the credential's
 * `authenticate`: all of them before the request is sent.
 */
function refusalIn(chain: Wrapper[]): ClientFault['refusal'] {
	const found = chain.find((error) => error instanceof UserError);
	return found && { message: text(found.message), description: text(found.description) };
}

const neverLeftCode = new RegExp(`^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|${certificateCodes})`);

/** Messages of Node and of n8n's proxy agent that occur only before the request is sent. */
const neverLeftMessage = /before secure TLS|^Proxy connection ended before receiving CONNECT/;

/** With its cause kept, an error without the mark of axios was thrown before axios had the request. */
const isBeforeClient = (chain: Wrapper[]) =>
	chain.length > 1 && chain.every(({ isAxiosError }) => isAxiosError !== true);

/** What an error of n8n's HTTP client reports, and whether it proves that the request never left n8n. */
export function clientFault(error: unknown): ClientFault {
	const chain = causesOf(error);
	const code = innermost(chain, codeOf);
	const message = innermost(chain, messageOf);
	const syscall =
		innermost(chain, syscallOf) || (/^(connect|read|write) /.exec(message)?.[1] ?? '');
	const refusal = refusalIn(chain);
	const neverLeft =
		refusal !== undefined ||
		isBeforeClient(chain) ||
		syscall === 'connect' ||
		neverLeftCode.test(code) ||
		neverLeftMessage.test(message) ||
		chain.some(isUnconnected);
	return { code, message, syscall, neverLeft, ...(refusal ? { refusal } : {}) };
}

/** A fault in one text: n8n's own refusal with its advice, or the client's code and message. */
export function faultText({ refusal, code, message }: ClientFault): string {
	if (refusal) return `${refusal.message}. ${refusal.description}`;
	return reasonOf({ code, message });
}
