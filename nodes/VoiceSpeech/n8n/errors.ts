import {
	type INode,
	NodeApiError,
	type NodeError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';

import { type CheckedCredential, maskAnyApiKey } from '../../../credentials/checkedCredential';
import type { ItemFailure } from '../call/item';
import { getFileName, type PreparedRequest } from '../call/request';
import { CallError, CanceledError, ExplainedError } from '../errors/bases';
import type { ClientFault } from '../errors/networkError';
import { formatReason, joinTexts, quoteText } from '../errors/quote';
import { UnusableResponseError } from '../errors/responseError';
import { maxCauses } from '../limits';
import type { DebitRecord } from '../run/runState';
import { type DebitStatus, describeDebit, describeOtherItems } from '../service/statusMeaning';
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

/** n8n's editor shows messages and descriptions as HTML, and they quote the service and other servers. */
function replaceMarkup(text: string): string {
	return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** n8n records a failed execution as canceled if the error's message contains this word. */
function avoidCanceled(message: string): string {
	return message.replaceAll('canceled', 'cancelled');
}

/** Masks the key of the item, and what looks like another key. */
function maskKeys(text: string, credential: CheckedCredential | undefined): string {
	return maskAnyApiKey(credential === undefined ? text : credential.maskKey(text));
}

/** Names the file of an item, unless the message does, because n8n's panels number files and items in different ways. */
function describeItemFile(request: PreparedRequest | undefined, message: string): string {
	const fileName = request === undefined ? '' : getFileName(request);
	const quotedName = quoteText(fileName);
	if (fileName === '' || message.includes(quotedName)) return '';
	return `This item has the file ${quotedName}.`;
}

/** What the run knows of an item that failed, over all tries. */
export interface FailureDetails {
	debitRecord: DebitRecord;
	/** Whether the run has a single item, so that its file needs no name. */
	isOnlyItem: boolean;
	/** Whether the operation makes no call, so that nothing is said of debits. */
	isLocal: boolean;
	/** Number of the other items by their debit status, if the failure stops the run, so that n8n discards their results. */
	otherItemCounts?: Record<DebitStatus, number>;
}

/**
 * The error of one item as n8n shows it. It is made from texts alone, because the error of n8n's client carries the
 * request, with the key in its headers. Its `context.debit` is the debit status of the item, and its
 * `context.responseText` the text of a response that could not be used.
 */
export async function createNodeError(
	node: INode,
	{ index, errorPromise, request }: ItemFailure,
	{ debitRecord, isOnlyItem, isLocal, otherItemCounts }: FailureDetails,
): Promise<NodeError> {
	const error = await errorPromise;
	const credential = request?.credential;
	const message = error.message || error.name;
	const description = error instanceof UserError ? error.description : undefined;
	const advice = joinTexts([
		description ?? '',
		isLocal ? '' : describeDebit(debitRecord.debit, debitRecord.consoleLabel),
		isLocal || otherItemCounts === undefined ? '' : describeOtherItems(otherItemCounts),
		isOnlyItem ? '' : describeItemFile(request, message),
		error instanceof ExplainedError ? error.quote : '',
	]);
	const isCancellation = error instanceof CanceledError;
	const text = replaceMarkup(maskKeys(message, credential));
	const shownMessage = isCancellation ? text : avoidCanceled(text);
	const settings = { description: replaceMarkup(maskKeys(advice, credential)), itemIndex: index };
	const httpCode = error instanceof CallError ? error.status?.toString() : undefined;
	const shown =
		httpCode === undefined
			? new NodeOperationError(node, shownMessage, settings)
			: new NodeApiError(node, { message: shownMessage, httpCode }, { ...settings, httpCode });
	// n8n replaces a message that contains an error code, even within a word: 'preexisting' contains 'EEXIST'.
	shown.message = shownMessage;
	shown.context.debit = debitRecord.debit;
	if (error instanceof UnusableResponseError && error.kept.text !== undefined) {
		shown.context.responseText = error.kept.text;
	}
	return shown;
}
