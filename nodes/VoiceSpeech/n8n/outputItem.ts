import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteSingleFunctions,
	type INode,
	type INodeExecutionData,
	type NodeError,
} from 'n8n-workflow';

import { maskAnyApiKey, maskApiKey } from '../../../credentials/maskApiKey';
import { CallError, debitStatement } from '../errors/callError';
import { textOrEmpty } from '../errors/reason';
import type { Success } from '../execution/resultCache';
import { fieldsOf, filesAreInJson, filesOf } from './inputFiles';

/*
 * Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with test/engine/output-items.test.ts: n8n pairs items by itself only if
 * their counts match, so `pairedItem` is always set. An `error` property of the item makes n8n replace its json, so
 * the error is a field of the json.
 */

function paired(
	context: IExecuteSingleFunctions,
	json: IDataObject,
	binary: NonNullable<INodeExecutionData['binary']>,
): INodeExecutionData {
	return {
		json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
		pairedItem: { item: context.getItemIndex() },
	};
}

/** The output item of a call that succeeded. */
export function resultItem(
	context: IExecuteSingleFunctions,
	{ result, options }: Success,
): INodeExecutionData {
	const { text } = result.json;
	// Without a text, the response is passed on unchanged: it was paid for.
	const output = options.textOnly && typeof text === 'string' ? { text } : result.json;
	const json = { ...(options.includeInputFields ? fieldsOf(context) : {}), ...output };
	// The new file first: n8n shows it first.
	const inputFiles = options.keepInputFiles ? filesOf(context) : {};
	return paired(context, json, { ...result.files, ...inputFiles, ...result.files });
}

/**
 * The output item of an item that failed, where the node continues on failure. It keeps the files of the input.
 *
 * For the error output, n8n adds the input's fields itself: an item with other fields next to `error` goes to the main
 * output. With `binaryMode: combined`, files would be such fields.
 */
export function failedItem(
	context: IExecuteSingleFunctions,
	{ message, description }: NodeError,
): INodeExecutionData {
	const toErrorOutput = context.getNode().onError === 'continueErrorOutput';
	const error = { message, description: description ?? '' };
	const json = { ...(toErrorOutput ? {} : fieldsOf(context)), error };
	return paired(context, json, toErrorOutput && filesAreInJson(context) ? {} : filesOf(context));
}

/**
 * The error as n8n shows it, for one item. Made from texts alone: a client's error carries the request, with the key
 * in its headers.
 *
 * @param apiKey hidden in all texts; undefined if the credential was not read yet
 * @param mayBeDebited whether a request of the item may have been debited; undefined if none has left n8n
 */
export function nodeError(
	node: INode,
	itemIndex: number,
	error: unknown,
	apiKey: string | undefined,
	mayBeDebited: boolean | undefined,
): NodeError {
	const hide = (text: string) => maskAnyApiKey(apiKey ? maskApiKey(text, apiKey) : text);
	const { message, description } = (error ?? {}) as { message?: unknown; description?: unknown };
	const debit = debitStatement(error, mayBeDebited, node.retryOnFail === true);
	const advice = [textOrEmpty(description), debit].filter((text) => text !== '').join(' ');
	const texts = {
		message: hide(textOrEmpty(message) || String(error)),
		description: hide(advice),
		itemIndex,
	};
	const httpCode = error instanceof CallError ? error.status?.toString() : undefined;
	const shown = httpCode
		? new NodeApiError(node, { message: texts.message, httpCode }, { ...texts, httpCode })
		: new NodeOperationError(node, texts.message, texts);
	// n8n replaces a message that contains a word like 'ENOENT' or 'preexisting' by a general one.
	shown.message = texts.message;
	return shown;
}
