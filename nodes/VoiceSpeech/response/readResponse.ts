import type { IBinaryData, IDataObject } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import { chooseFileName } from '../audio/fileName';
import { sniffHead } from '../audio/format';
import type { Endpoint } from '../endpoint';
import { formatReason } from '../errors/quote';
import { notStoredError, unexpectedResponse } from '../errors/responseError';
import { decodeText, isText, removeParameters } from '../text/decode';
import { findAudioType, type FileType } from './audioType';
import { readJson } from './json';
import type { ServiceResponse } from './serviceResponse';

/** What a call returned. */
export interface CallOutput {
	json: IDataObject;
	/** A file of the response, by field name. */
	files?: Record<string, IBinaryData>;
	/** Status and headers of the response, if they are asked for. */
	head?: { status: number; headers: IDataObject };
}

/** How a file of the response is stored. */
export interface OutputFile {
	fileName: string;
	fieldName: string;
	/** Further fields of the output's json. */
	extraJson: IDataObject;
}

/** Stores a file in n8n. */
export type StoreFile = (
	body: NodeJS.ReadableStream,
	fileName: string,
	mimeType: string,
) => Promise<IBinaryData>;

async function storeFile(
	response: ServiceResponse,
	type: FileType,
	output: OutputFile,
	store: StoreFile,
): Promise<CallOutput> {
	const fileName = chooseFileName(output.fileName, type, 'audio');
	let file: IBinaryData;
	try {
		file = await store(response.toStream(), fileName, type.mimeType);
	} catch (error) {
		// Either the response broke off, or n8n's storage failed.
		throw response.fault ?? notStoredError(formatReason(error));
	}
	const json = { fileName, mimeType: type.mimeType, bytes: response.received, ...output.extraJson };
	return { json, files: { [output.fieldName]: file } };
}

/** Masks the key before the bytes are quoted and cut, because a part of the key would not be recognized. */
function maskBytes(bytes: Uint8Array, apiKey: string): Uint8Array {
	const text = Buffer.from(bytes).toString('latin1');
	return Buffer.from(maskApiKey(text, apiKey), 'latin1');
}

/**
 * Reads a success response as its endpoint promises it; of an undocumented operation: JSON, audio, text, nothing, or any
 * other file.
 *
 * @param apiKey hidden wherever the response repeats it
 * @throws CallError for a response of another kind, with its first characters, and for a file that n8n cannot store;
 * what the response stream throws if it breaks off
 */
export async function readResponse(
	response: ServiceResponse,
	{ returns }: Endpoint,
	output: OutputFile,
	apiKey: string,
	store: StoreFile,
): Promise<CallOutput> {
	if (response.fault !== undefined) throw response.fault;
	const { head } = response;
	const format = sniffHead(head);
	// Masked, because error texts quote it and stored files have it as their type.
	const contentType = maskApiKey(response.contentType, apiKey);
	// If it cannot be JSON, the body is not read, because it may be large.
	const mayBeJson = /^\s*([[{"\d-]|true|false|null)/.test(decodeText(head, contentType));
	const unexpected = (expected: string, found = format?.name ?? 'something else') =>
		unexpectedResponse(expected, found, maskBytes(head, apiKey), contentType);

	if (returns !== 'json') {
		const audio = findAudioType(head, contentType);
		if (audio && head.length > 0) return await storeFile(response, audio, output, store);
		if (returns === 'audio') throw unexpected('audio');
	} else if (head.length > 0 && !mayBeJson) throw unexpected('JSON');

	// A file of another kind may begin with text, e.g. PDF.
	const mayBeText = format === undefined || /text|xml|json/.test(format.mimeType);
	if (returns === 'json' || (mayBeText && isText(head, contentType))) {
		const text = decodeText(await response.peek(Infinity), contentType, true);
		const json = readJson(text, apiKey);
		if (json !== undefined) return { json };
		if (returns === 'json') throw unexpected('JSON', 'incomplete or invalid data');
		return { json: text === '' ? {} : { data: maskApiKey(text, apiKey) } };
	}
	if (head.length === 0) return { json: {} };
	const mimeType = removeParameters(contentType) || 'application/octet-stream';
	return await storeFile(response, format ?? { mimeType, extensions: ['bin'] }, output, store);
}
