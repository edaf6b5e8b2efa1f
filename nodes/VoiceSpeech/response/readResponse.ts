import type { IDataObject, IBinaryData } from 'n8n-workflow';

import type { KeyMasker } from '../../../credentials/maskApiKey';
import { chooseFileName } from '../audio/fileName';
import { sniffHead } from '../audio/format';
import type { Endpoint } from '../endpoint';
import type { CallError } from '../errors/callError';
import { formatReason } from '../errors/quote';
import { createNotStoredError, createUnexpectedResponseError } from '../errors/responseError';
import { decodeText, isText, removeParameters } from '../text/decode';
import { findStringEnd, isObject } from '../text/json';
import { findAudioType, type FileType } from './audioType';
import type { ServiceResponse } from './serviceResponse';

/** Whether a JavaScript number of this text would have another integer part, or be infinite. */
function losesPrecision(token: string): boolean {
	const number = Number(token);
	if (!Number.isFinite(number)) return true;
	if (/e/i.test(token) || number === 0) return false;
	// Rounding the digits of a fraction is accepted.
	const isLarge = !Number.isSafeInteger(Math.trunc(number));
	const isInteger = !token.includes('.');
	return isInteger ? String(number) !== token : isLarge;
}

/**
 * Replaces strings and numbers of JSON. Names of members are strings too.
 *
 * @param replace gets each of them as JSON, and returns the JSON that replaces it, or undefined
 */
function replaceTokens(json: string, replace: (token: string) => string | undefined): string {
	const pieces: string[] = [];
	let copied = 0;
	const stringOrNumber = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
	let found = stringOrNumber.exec(json);
	while (found !== null) {
		if (found[0] === '"') stringOrNumber.lastIndex = findStringEnd(json, found.index);
		const replacement = replace(json.slice(found.index, stringOrNumber.lastIndex));
		if (replacement !== undefined) {
			pieces.push(json.slice(copied, found.index), replacement);
			copied = stringOrNumber.lastIndex;
		}
		found = stringOrNumber.exec(json);
	}
	return pieces.join('') + json.slice(copied);
}

/** A string without the key, or a number that JavaScript cannot represent as a string; undefined if the token stays. */
function replaceToken(token: string, maskKey: KeyMasker): string | undefined {
	if (!token.startsWith('"')) return losesPrecision(token) ? JSON.stringify(token) : undefined;
	const text = JSON.parse(token) as string;
	const masked = maskKey(text);
	return masked === text ? undefined : JSON.stringify(masked);
}

/**
 * The object of a JSON response; an array or a bare value under `data`. It is unchanged, except that the key is masked, and
 * that numbers which JavaScript cannot represent become texts. Undefined for a text that is not JSON.
 */
export function readJson(text: string, maskKey: KeyMasker): IDataObject | undefined {
	try {
		// The unchanged text is parsed first. A text that is not JSON could become JSON when its numbers get quotes.
		JSON.parse(text);
	} catch {
		return undefined;
	}
	const json = replaceTokens(text, (token) => replaceToken(token, maskKey));
	const value = JSON.parse(json) as IDataObject[string];
	return isObject(value) ? (value as IDataObject) : { data: value };
}

/** What a call returned. */
export interface CallOutput {
	json: IDataObject;
	/** A file of the response, by field name. */
	files?: Record<string, IBinaryData>;
	/** Status and headers of the response, if they are asked for. */
	responseInfo?: { status: number; headers: IDataObject };
}

/** How a file of the response is stored. */
export interface OutputFile {
	fileName: string;
	fieldName: string;
	/** Fields of the output's json that describe the request. */
	requestDescription: IDataObject;
}

/** Stores a file in n8n. */
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

async function storeFile(
	{ response, outputFile, store }: ReceivedResponse,
	type: FileType,
): Promise<CallOutput> {
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
		bytes: response.received,
		...outputFile.requestDescription,
	};
	return { json, files: { [outputFile.fieldName]: file } };
}

async function readText({ response, contentType }: ReceivedResponse): Promise<string> {
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
	// Masked before it is quoted and cut, because a part of the key would not be recognized.
	const text = Buffer.from(response.head).toString('latin1');
	const start = Buffer.from(maskKey(text), 'latin1');
	return createUnexpectedResponseError(expected, what, start, contentType);
}

/** Reads the response of an operation that returns JSON. */
async function readJsonResponse(received: ReceivedResponse): Promise<CallOutput> {
	const { head } = received.response;
	const mayBeJson = /^\s*([[{"\d-]|true|false|null)/.test(decodeText(head, received.contentType));
	// If it cannot be JSON, the body is not read, because it may be large.
	if (head.length > 0 && !mayBeJson) throw createMismatchError(received, 'JSON');
	const json = readJson(await readText(received), received.maskKey);
	if (json === undefined) {
		throw createMismatchError(received, 'JSON', 'incomplete or invalid data');
	}
	return { json };
}

/** Reads the response of an operation that returns audio. */
async function readAudioResponse(received: ReceivedResponse): Promise<CallOutput> {
	const audioType = findAudioType(received.response.head, received.contentType);
	if (audioType === undefined) throw createMismatchError(received, 'audio');
	return await storeFile(received, audioType);
}

/**
 * Reads the response of an operation that does not promise a kind. It may be JSON, text, nothing, audio, or another file.
 */
async function readAnyResponse(received: ReceivedResponse): Promise<CallOutput> {
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
	const text = await readText(received);
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
): Promise<CallOutput> {
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
