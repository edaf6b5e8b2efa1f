import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type NodeError,
} from 'n8n-workflow';

import { CallError } from './callError';

interface Texts {
	message: string;
	description: string;
	itemIndex: number;
}

function apiError(node: INode, texts: Texts, httpCode: string): NodeApiError {
	const response: JsonObject = { message: texts.message, httpCode };
	return new NodeApiError(node, response, { ...texts, httpCode });
}

/**
 * The error as n8n shows it, for one item. Made anew from its texts: what a client's error carries along (the
 * request with the key in its headers) goes no further.
 *
 * @param hide takes the key out of a text
 */
export function nodeError(
	node: INode,
	itemIndex: number,
	error: unknown,
	hide: (text: string) => string,
): NodeError {
	const { message, description } = error as { message?: unknown; description?: unknown };
	const texts: Texts = {
		message: hide(typeof message === 'string' && message !== '' ? message : String(error)),
		description: hide(typeof description === 'string' ? description : ''),
		itemIndex,
	};
	const shown =
		error instanceof CallError && error.status !== undefined
			? apiError(node, texts, String(error.status))
			: new NodeOperationError(node, texts.message, texts);
	// n8n puts a general sentence in place of a message that holds a word like 'ENOENT' or 'preexisting'.
	shown.message = texts.message;
	return shown;
}
