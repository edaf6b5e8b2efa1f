import type { IDataObject, IBinaryData } from 'n8n-workflow';

import type { KeyMasker } from '../../../credentials/maskApiKey';
import { chooseFileName } from '../audio/fileName';
import { sniffHead } from '../audio/format';
import type { Endpoint } from '../endpoint';
import type { CallError } from '../errors/callError';
import { formatReason } from '../errors/quote';
import { createNotStoredError, createUnexpectedResponseError } from '../errors/responseError';
import { decodeText, isText, removeParameters } from '../text/decode';
import { findAudioType, type FileType } from './audioType';
import { readJson } from './readJson';
import type { ServiceResponse } from './serviceResponse';

/** What a success response contains. */
export interface ResponseContent {
	json: IDataObject;
	/** A file of the response, by field name. */
	files?: Record<string, IBinaryData>;
}

/** How a file of the response is stored. */
export interface OutputFile {
	fileName: string;
	fieldName: string;
	/** Fields of the output's json that describe the request. */
	requestDescription: IDataObject;
}

/**
 * Stores a file in n8n.
 *
 * @throws if the body breaks off, or n8n's storage fails
 */
export type StoreFile = (
	body: NodeJS.ReadableStream,
	fileName: string,
	mimeType: string,
) => Promise<IBinaryData>;

/** A success response, and what is needed to read it. */
interface ReceivedResponse {
	response: ServiceResponse;
	/** As the service declared it, without the key, because error texts quote it and stored files have it as their type. */
	contentType: string;
	outputFile: OutputFile;
	maskKey: KeyMasker;
	store: StoreFile;
}

/** @throws {CallError} if n8n cannot store the file; what the response stream throws if it breaks off */
async function storeFile(
	{ response, outputFile, store }: ReceivedResponse,
	type: FileType,
): Promise<ResponseContent> {
	const fileName = chooseFileName(outputFile.fileName, type, 'audio');
	let file: IBinaryData;
	try {
		file = await store(response.toStream(), fileName, type.mimeType);
	} catch (error) {
		// Either the response broke off, or n8n's storage failed.
		throw response.fault ?? createNotStoredError(formatReason(error));
	}
	const json = {
		fileName,
		mimeType: type.mimeType,
		bytes: response.receivedBytes,
		...outputFile.requestDescription,
	};
	return { json, files: { [outputFile.fieldName]: file } };
}

async function readBodyText({ response, contentType }: ReceivedResponse): Promise<string> {
	return decodeText(await response.peek(Infinity), contentType, true);
}

/**
 * The error for a response of another kind than the operation promises.
 *
 * @param found what it is instead; undefined for what its first bytes show
 */
function createMismatchError(
	{ response, contentType, maskKey }: ReceivedResponse,
	expected: 'JSON' | 'audio',
	found?: string,
): CallError {
	const what = found ?? sniffHead(response.head)?.name ?? 'something else';
	// Masked before it is cut, see KeyMasker.
	const text = Buffer.from(response.head).toString('latin1');
	const start = Buffer.from(maskKey(text), 'latin1');
	return createUnexpectedResponseError(expected, what, start, contentType);
}

/** @throws {CallError} for a response that is not JSON; what the response stream throws if it breaks off */
async function readJsonResponse(received: ReceivedResponse): Promise<ResponseContent> {
	const { head } = received.response;
	const mayBeJson = /^\s*([[{"\d-]|true|false|null)/.test(decodeText(head, received.contentType));
	// If it cannot be JSON, the body is not read, because it may be large.
	if (head.length > 0 && !mayBeJson) throw createMismatchError(received, 'JSON');
	const json = readJson(await readBodyText(received), received.maskKey);
	if (json === undefined) {
		throw createMismatchError(received, 'JSON', 'incomplete or invalid data');
	}
	return { json };
}

/** @throws {CallError} for a response that is not audio; otherwise as {@link storeFile} */
async function readAudioResponse(received: ReceivedResponse): Promise<ResponseContent> {
	const audioType = findAudioType(received.response.head, received.contentType);
	if (audioType === undefined) throw createMismatchError(received, 'audio');
	return await storeFile(received, audioType);
}

/**
 * Reads the response of an operation that does not promise a kind. It may be JSON, text, nothing, audio, or another file.
 */
async function readAnyResponse(received: ReceivedResponse): Promise<ResponseContent> {
	const { response, contentType, maskKey } = received;
	const { head } = response;
	const audioType = findAudioType(head, contentType);
	if (audioType !== undefined) return await storeFile(received, audioType);
	const format = sniffHead(head);
	// A file of another kind may begin with text, e.g. PDF.
	const mayBeText = format === undefined || /text|xml|json/.test(format.mimeType);
	if (!mayBeText || !isText(head, contentType)) {
		const mimeType = removeParameters(contentType) || 'application/octet-stream';
		return await storeFile(received, format ?? { mimeType, extensions: ['bin'] });
	}
	const text = await readBodyText(received);
	const json = readJson(text, maskKey);
	if (json !== undefined) return { json };
	return { json: text === '' ? {} : { data: maskKey(text) } };
}

/**
 * Reads a success response as its endpoint promises it.
 *
 * @param maskKey masks the key wherever the response repeats it
 * @throws {CallError} for a response of another kind, with its first characters, and for a file that n8n cannot store;
 * what the response stream throws if it breaks off
 */
export async function readResponse(
	response: ServiceResponse,
	{ returns }: Endpoint,
	outputFile: OutputFile,
	maskKey: KeyMasker,
	store: StoreFile,
): Promise<ResponseContent> {
	if (response.fault !== undefined) throw response.fault;
	const contentType = maskKey(response.contentType);
	const received = { response, contentType, outputFile, maskKey, store };
	switch (returns) {
		case 'json':
			return await readJsonResponse(received);
		case 'audio':
			return await readAudioResponse(received);
		case 'any':
			return await readAnyResponse(received);
	}
}
