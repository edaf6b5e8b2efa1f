import {
	NodeApiError,
	NodeOperationError,
	type INode,
	type JsonObject,
	type NodeError,
} from 'n8n-workflow';

import { CallError } from './callError';

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
	const texts = {
		message: hide(typeof message === 'string' && message !== '' ? message : String(error)),
		description: hide(typeof description === 'string' ? description : ''),
		itemIndex,
	};
	if (error instanceof CallError && error.status !== undefined) {
		const httpCode = String(error.status);
		const response: JsonObject = { message: texts.message, httpCode };
		return new NodeApiError(node, response, { ...texts, httpCode });
	}
	return new NodeOperationError(node, texts.message, texts);
}
