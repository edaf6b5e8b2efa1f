import {
	NodeApiError,
	type IBinaryData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type NodeError,
	type BinaryHelperFunctions,
} from 'n8n-workflow';

import { optionDefinitions } from '../descriptions/options';
import { createNoLinkError } from '../errors/inputError';
import { formatReason } from '../errors/quote';
import { keptFileField } from '../errors/responseError';
import type { CallResult } from '../run/runState';
import type { DebitStatus } from '../service/statusMeaning';
import { readFields, readFiles, type InputItem } from './inputFiles';

/*
 * Links to stored files, which n8n signs (`createBinarySignedUrl`). It cannot sign a file that it keeps in memory, which
 * has no ID. test/versions opens links, and test/engine/outputItems checks the files in memory.
 */

/** Fields of an output item: a link to its file, or why it has none. */
type FileLink = { url: string; urlExpiresAt: string } | { linkWarning: string };

/**
 * Creates a function that checks whether n8n can create links. n8n does not report where it keeps files, so the first call
 * stores a small one, which n8n deletes with the execution. The function throws {UserError} if n8n cannot create links, or
 * what its storage throws.
 */
export function createLinkCheck({ prepareBinaryData }: BinaryHelperFunctions): () => Promise<void> {
	let storing: Promise<IBinaryData> | undefined;
	return async () => {
		storing ??= prepareBinaryData(Buffer.from('link check'), 'link-check.txt', 'text/plain');
		const { id } = await storing;
		if (id !== undefined) return;
		throw createNoLinkError(optionDefinitions.linkHours.property.displayName);
	};
}

/**
 * Creates a link to the file of a result. Does not throw, because the file was paid for.
 *
 * @returns undefined if the result has no file, or no link is asked for
 */
export function createLink(
	{ createBinarySignedUrl }: BinaryHelperFunctions,
	{ output, options }: CallResult,
): FileLink | undefined {
	const [file] = Object.values(output.files ?? {});
	if (file === undefined || options.linkHours === 0) return undefined;
	const seconds = Math.floor(options.linkHours * 3600);
	// n8n counts from the current second.
	const expiresAtSecond = Math.floor(Date.now() / 1000) + seconds;
	try {
		const url = createBinarySignedUrl(file, `${seconds} seconds`);
		return { url, urlExpiresAt: new Date(expiresAtSecond * 1000).toISOString() };
	} catch (error) {
		return { linkWarning: `n8n did not create a link: ${formatReason(error)}` };
	}
}

/*
 * n8n pairs items by itself only if their counts match, so `pairedItem` is always set. An `error` property of the item
 * makes n8n replace its json, so the error is a field of the json. test/engine/outputItems.test.mts checks both on every
 * n8n of test/support/n8nVersions.mts.
 */

type Files = NonNullable<INodeExecutionData['binary']>;

function createPairedItem(
	{ index }: InputItem,
	json: IDataObject,
	files: Files,
): INodeExecutionData {
	const item: INodeExecutionData = { json, pairedItem: { item: index } };
	if (Object.keys(files).length > 0) item.binary = files;
	return item;
}

/** The fields of the output that come from the call. A field of the service's own response replaces one of the node. */
function selectResultFields(
	{ output, options }: CallResult,
	link: FileLink | undefined,
): IDataObject {
	const { sampleWarnings, responseInfo } = output;
	const json: IDataObject = { ...output.json, ...link };
	// Without a text, the response is passed on unchanged, because it was paid for.
	const isTextOnly = options.textOnly && typeof json.text === 'string';
	let fields: IDataObject = isTextOnly ? { text: json.text } : json;
	if (sampleWarnings.length > 0) fields = { sampleWarnings, ...fields };
	if (responseInfo === undefined || 'response' in fields) return fields;
	return { ...fields, response: responseInfo };
}

/** The new file comes first, because n8n shows the first file. It replaces an input file of the same name. */
function mergeFiles(newFiles: Files, inputFiles: Files): Files {
	const files = { ...newFiles };
	for (const [name, file] of Object.entries(inputFiles)) {
		// A file may have the name of an inherited member, such as 'constructor'.
		if (!Object.hasOwn(files, name)) files[name] = file;
	}
	return files;
}

/** The output item of a call that succeeded. */
export function createResultItem(
	input: InputItem,
	result: CallResult,
	link?: FileLink,
): INodeExecutionData {
	const { output, options } = result;
	const inputFields = options.includeInputFields ? readFields(input) : {};
	const isFileNamed = options.includeInputFields && output.audioName !== '';
	const fileName = isFileNamed ? { fileName: output.audioName } : {};
	const inputFiles = options.keepInputFiles ? readFiles(input) : {};
	const json = { ...fileName, ...inputFields, ...selectResultFields(result, link) };
	return createPairedItem(input, json, mergeFiles(output.files ?? {}, inputFiles));
}

/**
 * The output item of an item that failed, where the node continues on failure. It keeps the files of the input.
 *
 * For the error output, n8n adds the input's fields itself. An item with other fields next to `error` would go to the main
 * output. With `binaryMode: combined`, files would be such fields, so the file of a response is a field of the error then.
 *
 * @param responseFile the response, if it could not be used and is not text
 */
export function createFailedItem(
	node: INode,
	input: InputItem,
	error: NodeError,
	debit: DebitStatus,
	responseFile?: IBinaryData,
): INodeExecutionData {
	const toErrorOutput = node.onError === 'continueErrorOutput';
	const shown: IDataObject = { message: error.message, description: error.description ?? '' };
	if (error instanceof NodeApiError && error.httpCode !== null) shown.httpCode = error.httpCode;
	shown.debit = debit;
	const { responseText } = error.context;
	if (typeof responseText === 'string') shown.responseText = responseText;
	const canHaveFiles = !toErrorOutput || !input.hasFilesInJson;
	if (responseFile !== undefined && !canHaveFiles) shown.responseFile = responseFile;
	// The error comes first, so that the editor's table shows it in its first column.
	const json = toErrorOutput ? { error: shown } : { error: shown, ...readFields(input) };
	if (!canHaveFiles) return createPairedItem(input, json, {});
	const newFiles: Files = responseFile === undefined ? {} : { [keptFileField]: responseFile };
	return createPairedItem(input, json, mergeFiles(newFiles, readFiles(input)));
}
