import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type NodeError,
} from 'n8n-workflow';

import { maskApiKey, maskAnyApiKey } from '../../../credentials/maskApiKey';
import { CallError, debitStatement } from '../errors/callError';

interface Texts {
	message: string;
	description: string;
	itemIndex: number;
}

function apiError(node: INode, texts: Texts, httpCode: string): NodeApiError {
	const response: JsonObject = { message: texts.message, httpCode };
	return new NodeApiError(node, response, { ...texts, httpCode });
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

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
	const advice = [
		textOf(description),
		debitStatement(error, mayBeDebited, node.retryOnFail === true),
	];
	const texts: Texts = {
		message: hide(textOf(message) || String(error)),
		description: hide(advice.filter((text) => text !== '').join(' ')),
		itemIndex,
	};
	const shown =
		error instanceof CallError && error.status !== undefined
			? apiError(node, texts, String(error.status))
			: new NodeOperationError(node, texts.message, texts);
	// n8n replaces a message that contains a word like 'ENOENT' or 'preexisting' by a general one.
	shown.message = texts.message;
	return shown;
}
