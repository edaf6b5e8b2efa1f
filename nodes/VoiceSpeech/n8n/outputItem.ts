import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type NodeError,
} from 'n8n-workflow';

import { maskAnyApiKey, maskApiKey } from '../../../credentials/maskApiKey';
import { CallError, describePayment, type Payment } from '../errors/callError';
import { canceledMessage } from '../errors/stopError';
import { textOrEmpty } from '../errors/quote';
import type { CompletedCall } from '../run/runState';
import { readFields, readFiles, type InputItem } from './inputFiles';

/*
 * Checked on the n8n versions of test/hosts with test/engine/output-items.test.ts: n8n pairs items by itself only if
 * their counts match, so `pairedItem` is always set. An `error` property of the item makes n8n replace its json, so
 * the error is a field of the json.
 */

function createPairedItem(
	{ index }: InputItem,
	json: IDataObject,
	binary: NonNullable<INodeExecutionData['binary']>,
): INodeExecutionData {
	const item: INodeExecutionData = { json, pairedItem: { item: index } };
	if (Object.keys(binary).length > 0) item.binary = binary;
	return item;
}

/** The output item of a call that succeeded. */
export function createResultItem(
	input: InputItem,
	{ output, options }: CompletedCall,
): INodeExecutionData {
	const { text } = output.json;
	// Without a text, the response is passed on unchanged, because it was paid for.
	const isTextOnly = options.textOnly && typeof text === 'string';
	const result: IDataObject = isTextOnly ? { text } : { ...output.json };
	// A field of the service's own response wins, because it was paid for.
	if (output.head !== undefined) result.response ??= output.head;
	const inputFields = options.includeInputFields ? readFields(input) : {};
	const inputFiles = options.keepInputFiles ? readFiles(input) : {};
	// The new file comes first, because n8n shows the first file.
	return createPairedItem(
		input,
		{ ...inputFields, ...result },
		{ ...output.files, ...inputFiles, ...output.files },
	);
}

/**
 * The output item of an item that failed, where the node continues on failure. It keeps the files of the input.
 *
 * For the error output, n8n adds the input's fields itself: an item with other fields next to `error` goes to the main
 * output. With `binaryMode: combined`, files would be such fields.
 */
export function createFailedItem(
	node: INode,
	input: InputItem,
	error: NodeError,
): INodeExecutionData {
	const toErrorOutput = node.onError === 'continueErrorOutput';
	const shown: IDataObject = { message: error.message, description: error.description ?? '' };
	if (error instanceof NodeApiError && error.httpCode !== null) shown.httpCode = error.httpCode;
	shown.debit = error.context.debit as Payment;
	// The error comes first, so that the editor's table shows it in its first column.
	const json = toErrorOutput ? { error: shown } : { error: shown, ...readFields(input) };
	const files = toErrorOutput && input.hasFilesInJson ? {} : readFiles(input);
	return createPairedItem(input, json, files);
}

/** n8n's editor shows messages and descriptions as HTML, and they quote the service and other servers. */
function replaceMarkup(text: string): string {
	return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** n8n records a failed execution as canceled if the error's message contains this word. */
function replaceCanceled(message: string): string {
	return message === canceledMessage ? message : message.replaceAll('canceled', 'cancelled');
}

/** What is known of a failed item. */
interface FailureFacts {
	index: number;
	error: unknown;
	/** The key that was sent, hidden in all texts; undefined if none was read. */
	apiKey: string | undefined;
	/** Of the credential that was read; added where a text advises to look into the service's console. */
	consoleUrl?: string | undefined;
	/** Of the item, over all tries. */
	payment: Payment;
	/** Number of other items of the run that may have been debited. */
	discardedItems: number;
}

/** The sentences after an error's advice. */
function listPaymentTexts(payment: Payment, discardedItems: number): string[] {
	const texts = [describePayment(payment)];
	if (discardedItems > 0) {
		const items = discardedItems === 1 ? 'item' : 'items';
		texts.push(
			`${discardedItems} other ${items} of this run may have been debited. To keep the results of items that succeed, set 'On Error' to 'Continue (using error output)'.`,
		);
	}
	return texts;
}

/** Adds the address of the service's console where a text first refers to it. */
function addConsoleUrl(text: string, consoleUrl: string): string {
	if (consoleUrl === '') return text;
	return text.replace("the service's console", (place) => `${place} (${consoleUrl})`);
}

/**
 * The error as n8n shows it, for one item. Made from texts alone: a client's error carries the request, with the key
 * in its headers. Its `context.debit` says what is known of the item's payment.
 */
export function createNodeError(node: INode, facts: FailureFacts): NodeError {
	const { index, error, apiKey, consoleUrl = '', payment, discardedItems } = facts;
	const hide = (text: string) =>
		replaceMarkup(maskAnyApiKey(apiKey ? maskApiKey(text, apiKey) : text));
	const { message, description } = (error ?? {}) as { message?: unknown; description?: unknown };
	const advice = [textOrEmpty(description), ...listPaymentTexts(payment, discardedItems)]
		.filter((text) => text !== '')
		.join(' ');
	const texts = {
		message: replaceCanceled(hide(textOrEmpty(message) || String(error))),
		description: hide(addConsoleUrl(advice, consoleUrl)),
		itemIndex: index,
	};
	const httpCode = error instanceof CallError ? error.status?.toString() : undefined;
	const shown = httpCode
		? new NodeApiError(node, { message: texts.message, httpCode }, { ...texts, httpCode })
		: new NodeOperationError(node, texts.message, texts);
	// n8n replaces a message that contains a word like 'ENOENT' or 'preexisting' by a general one.
	shown.message = texts.message;
	shown.context.debit = payment;
	return shown;
}
