import {
	type INode,
	NodeApiError,
	type NodeError,
	NodeOperationError,
	UserError,
} from 'n8n-workflow';

import { maskAnyApiKey } from '../../../credentials/apiKey';
import type { CheckedCredential } from '../../../credentials/checkedCredential';
import type { ItemFailure } from '../call/item';
import { getFileName, type PreparedRequest } from '../call/request';
import { CallError, CanceledError, ExplainedError } from '../errors/bases';
import { joinTexts, quoteText } from '../errors/quote';
import { UnusableResponseError } from '../errors/responseError';
import type { DebitRecord } from '../run/runState';
import { type DebitStatus, describeDebit, describeOtherItems } from '../service/debit';

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
