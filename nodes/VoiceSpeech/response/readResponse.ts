import type { IBinaryData, IDataObject } from 'n8n-workflow';

import type { KeyMasker } from '../../../credentials/checkedCredential';
import { chooseFileName } from '../audio/fileName';
import { sniffHead } from '../audio/format';
import { type CallError, rethrow } from '../errors/bases';
import { formatReason, isWebPage } from '../errors/quote';
import {
	createBodyError,
	createNotStoredError,
	createUnexpectedResponseError,
	describeDecompressionFault,
	type KeptContent,
	keptFileField,
	type UnusableResponse,
} from '../errors/responseError';
import { maxCutKeyLength, maxKeptTextBytes } from '../limits';
import type { Endpoint } from '../service/endpoint';
import { decodeText } from '../text/decode';
import { type FileType, findFileType, isTextResponse } from './audioType';
import { readJson } from './readJson';
import type { ServiceResponse } from './serviceResponse';

/** What a success response contains. */
export interface ResponseContent {
	json: IDataObject;
	/** A file of the response, by field name. */
	files?: Record<string, IBinaryData>;
	/** The file must be audio, and it is not known in which format. */
	hasUnknownFormat?: boolean;
}

/** What the output says of such a file, in the field `formatWarning`. */
const unknownFormatWarning =
	'The format of this audio was not recognized: ask your provider how it is encoded.';

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
	/** Called once the response cannot be used, before the rest of it is read. */
	onUnusable: () => void;
}

/** @throws {CallError} if n8n cannot store the file; what the response stream throws if it breaks off */
async function storeFile(
	{ response, store }: ReceivedResponse,
	fileName: string,
	type: FileType,
): Promise<IBinaryData> {
	try {
		return await store(response.toStream(), fileName, type.mimeType);
	} catch (error) {
		// Either the response broke off, or n8n's storage failed.
		throw response.fault ?? createNotStoredError(formatReason(error));
	}
}

/** Stores the response as the file of the output, and describes it. */
async function outputAsFile(
	received: ReceivedResponse,
	{ expectsAudio }: { expectsAudio: boolean },
): Promise<ResponseContent> {
	const { response, contentType, outputFile } = received;
	const type = findFileType(response.head, contentType);
	const fileName = chooseFileName(outputFile.fileName, type, 'audio');
	const file = await storeFile(received, fileName, type);
	const json: IDataObject = {
		fileName,
		mimeType: type.mimeType,
		bytes: response.receivedBytes,
		...outputFile.requestDescription,
	};
	const content = { json, files: { [outputFile.fieldName]: file } };
	if (!expectsAudio || type.isKnownAudio) return content;
	json.formatWarning = unknownFormatWarning;
	return { ...content, hasUnknownFormat: true };
}

async function readBodyText({ response, contentType }: ReceivedResponse): Promise<string> {
	return decodeText(await response.peek(Infinity), contentType, true);
}

/** The text of a response that cannot be used, up to the limit, as far as it arrives. */
async function keepText({
	response,
	contentType,
	maskKey,
}: ReceivedResponse): Promise<KeptContent> {
	const start = await response.peekIfPossible(maxKeptTextBytes + 1);
	const isCut = start.length > maxKeptTextBytes;
	const bytes = start.subarray(0, maxKeptTextBytes);
	const isComplete = response.fault === undefined && !isCut;
	const text = maskKey(decodeText(bytes, contentType, isComplete));
	if (isCut) return { text: text.slice(0, -maxCutKeyLength), isCut };
	return text.trim() === '' ? {} : { text };
}

/**
 * Keeps a response that cannot be used, because it was paid for: a text for the error, and anything else as a file.
 *
 * @param createError makes the error of it
 * @returns the error; that of the storage if n8n cannot store the file
 * @throws what the response stream throws if a file breaks off
 */
async function keepUnusable(
	received: ReceivedResponse,
	isText: boolean,
	createError: (response: UnusableResponse) => CallError,
): Promise<CallError> {
	const { response, contentType, onUnusable } = received;
	onUnusable();
	if (isText) {
		const kept = await keepText(received);
		// A page comes from something in between, such as a proxy or a login.
		const isPaid = response.fault === undefined && !isWebPage(kept.text ?? '', contentType);
		return createError({ contentType, isPaid, kept });
	}
	// The declared type is that of the content, and not of the compressed bytes.
	const type = findFileType(response.head, response.bodyFault === undefined ? contentType : '');
	const file = await storeFile(received, chooseFileName(keptFileField, type, keptFileField), type);
	return createError({ contentType, isPaid: true, kept: { file } });
}

/**
 * The error for a response of another kind than the operation promises.
 *
 * @param found what it is instead; undefined for what its first bytes show
 */
async function createMismatchError(
	received: ReceivedResponse,
	expected: 'JSON' | 'audio',
	found?: string,
): Promise<CallError> {
	const { head } = received.response;
	const isText = isTextResponse(head, received.contentType, expected === 'audio');
	const what = found ?? sniffHead(head)?.name ?? (isText ? 'text' : 'binary data');
	return await keepUnusable(received, isText, (unusable) =>
		createUnexpectedResponseError(expected, what, unusable),
	);
}

/** @throws {CallError} for a response that is not JSON; what the response stream throws if it breaks off */
async function readJsonResponse(received: ReceivedResponse): Promise<ResponseContent> {
	const { head } = received.response;
	const mayBeJson = /^\s*([[{"\d-]|true|false|null)/.test(decodeText(head, received.contentType));
	// If it cannot be JSON, only a limited part is read, because it may be large.
	if (!mayBeJson) throw await createMismatchError(received, 'JSON');
	const json = readJson(await readBodyText(received), received.maskKey);
	if (json === undefined) {
		throw await createMismatchError(received, 'JSON', 'incomplete or invalid data');
	}
	return { json };
}

/** @throws {CallError} for a response that is empty or text; otherwise as {@link outputAsFile} */
async function readAudioResponse(received: ReceivedResponse): Promise<ResponseContent> {
	const { response, contentType } = received;
	if (isTextResponse(response.head, contentType, true)) {
		throw await createMismatchError(received, 'audio');
	}
	return await outputAsFile(received, { expectsAudio: true });
}

/**
 * Reads the response of an operation that does not promise a kind. It may be JSON, text, nothing, audio, or another file.
 */
async function readAnyResponse(received: ReceivedResponse): Promise<ResponseContent> {
	const { response, contentType, maskKey } = received;
	if (!isTextResponse(response.head, contentType, false)) {
		return await outputAsFile(received, { expectsAudio: false });
	}
	const text = await readBodyText(received);
	const json = readJson(text, maskKey);
	if (json !== undefined) return { json };
	return { json: text.trim() === '' ? {} : { data: maskKey(text) } };
}

/** @throws {CallError} as {@link readResponse}; what the response stream throws if it breaks off */
async function readContent(
	received: ReceivedResponse,
	returns: Endpoint['returns'],
): Promise<ResponseContent> {
	const { response, contentType } = received;
	const { fault, bodyFault, head } = response;
	if (fault !== undefined) throw fault;
	if (bodyFault !== undefined) {
		const isText = isTextResponse(head, contentType, false);
		throw await keepUnusable(received, isText, (kept) => createBodyError(bodyFault, kept));
	}
	switch (returns) {
		case 'json':
			return await readJsonResponse(received);
		case 'audio':
			return await readAudioResponse(received);
		case 'any':
			return await readAnyResponse(received);
	}
}

/**
 * Reads a success response as its endpoint promises it.
 *
 * @param maskKey masks the key wherever the response repeats it
 * @param onUnusable called once the response cannot be used, before the rest of it is read
 * @throws {CallError} for a response that cannot be used, with its content, and for a file that n8n cannot store; what the
 * response stream throws if it breaks off
 */
export async function readResponse(
	response: ServiceResponse,
	{ returns }: Endpoint,
	outputFile: OutputFile,
	maskKey: KeyMasker,
	store: StoreFile,
	onUnusable: () => void = () => {},
): Promise<ResponseContent> {
	const contentType = maskKey(response.contentType);
	const received = { response, contentType, outputFile, maskKey, store, onUnusable };
	try {
		return await readContent(received, returns);
	} catch (error) {
		const bodyFault = describeDecompressionFault(response.fault);
		if (bodyFault === undefined) return rethrow(error);
		const isText = isTextResponse(response.head, contentType, false);
		const kept = isText ? await keepText(received) : {};
		const isPaid = !isWebPage(kept.text ?? '', contentType);
		throw createBodyError(bodyFault, { contentType, isPaid, kept });
	}
}
