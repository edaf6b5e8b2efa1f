import {
	UserError,
	type IBinaryData,
	type IDataObject,
	type IExecuteSingleFunctions,
} from 'n8n-workflow';

import type { AudioSource } from '../audio/reader';
import { audioNotReadable } from '../errors/audioError';
import { reasonOf } from '../errors/reason';
import { fileChunkBytes } from '../limits';

/*
 * Where n8n keeps the files of an item: in `binary`, or with the workflow setting `binaryMode: combined` (n8n 2.41.1;
 * n8n 1 and 2.0 do not have it) in `json`, by default below `_files`. Checked with test/engine/input-file.test.ts.
 */

/** The field of an item's json that n8n keeps its files in. */
const filesField = '_files';

type Files = Record<string, IBinaryData>;

function isFile(value: unknown): value is IBinaryData {
	if (typeof value !== 'object' || value === null) return false;
	const { mimeType, id, data } = value as Record<string, unknown>;
	return typeof mimeType === 'string' && (typeof id === 'string' || typeof data === 'string');
}

function filesIn(fields: unknown): Files {
	if (typeof fields !== 'object' || fields === null) return {};
	return Object.fromEntries(
		Object.entries(fields).filter((entry): entry is [string, IBinaryData] => isFile(entry[1])),
	);
}

/** Whether files are fields of an item's json. In any other mode, what looks like a file in json is only data. */
export function filesAreInJson(context: IExecuteSingleFunctions): boolean {
	return context.getWorkflowSettings?.().binaryMode === 'combined';
}

/** The files of the input item, by field name. */
export function filesOf(context: IExecuteSingleFunctions): Files {
	const { json, binary } = context.getInputData();
	return { ...(filesAreInJson(context) ? filesIn(json[filesField]) : {}), ...binary };
}

/** The fields of the input item without the files that n8n keeps among them. */
export function fieldsOf(context: IExecuteSingleFunctions): IDataObject {
	const fields = { ...context.getInputData().json };
	if (filesAreInJson(context)) delete fields[filesField];
	return fields;
}

/** How n8n's Split Out node makes an item of each file. In json, it finds no file by `$binary`, and outputs nothing. */
function howToSplit(context: IExecuteSingleFunctions): string {
	if (Object.keys(filesOf(context)).length < 2) return '';
	const settings = context.getInputData().binary
		? "to '$binary'"
		: `to '${filesField}' and its 'Destination Field Name' to 'data'`;
	return ` To use each file, add a Split Out node before this one, set its 'Fields To Split Out' ${settings}, and set 'Input Data Field Name' to 'data'.`;
}

function noSuchField(fieldName: string, names: string[], advice: string): UserError {
	if (names.length === 0) {
		return new UserError('The item has no file', {
			description: `'Input Data Field Name' is '${fieldName}', but the item contains no files. Check that the previous step outputs a file, or set 'Audio Source' to 'URL'. An agent passes no files to its tools: use 'URL' there.`,
		});
	}
	return new UserError(`The item has no file in the field '${fieldName}'`, {
		description: `Set 'Input Data Field Name' to one of the fields it has: ${names.map((name) => `'${name}'`).join(', ')}.${advice}`,
	});
}

/** The item's only file, or its only file with an audio type. */
function onlyFile(files: Files): IBinaryData | undefined {
	const all = Object.values(files);
	const audio = all.filter((file) => /^audio\//i.test(file.mimeType));
	return all.length === 1 ? all[0] : audio.length === 1 ? audio[0] : undefined;
}

/** With `binaryMode: combined` n8n itself finds a path into the json. */
function fileAtPath(context: IExecuteSingleFunctions, path: string): IBinaryData | undefined {
	if (!filesAreInJson(context)) return undefined;
	try {
		const found: unknown = context.helpers.assertBinaryData(path);
		return isFile(found) ? found : undefined;
	} catch {
		return undefined;
	}
}

function chooseFile(context: IExecuteSingleFunctions, parameter: unknown): IBinaryData {
	// Only an expression yields a file: the workflow's author chose this source.
	if (isFile(parameter)) return parameter;
	const inJson = filesAreInJson(context) ? filesIn(context.getInputData().json) : {};
	const files = { ...inJson, ...filesIn(filesOf(context)) };
	const isObject = typeof parameter === 'object' && parameter !== null;
	const fieldName = isObject ? 'an object' : String(parameter ?? '').trim();
	const file =
		(Object.hasOwn(files, fieldName) ? files[fieldName] : undefined) ??
		// The default of 'Input Data Field Name'.
		(fieldName === 'data' ? onlyFile(files) : undefined) ??
		fileAtPath(context, fieldName);
	if (file !== undefined) return file;
	throw noSuchField(fieldName, Object.keys(files), howToSplit(context));
}

async function* inOneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
	yield bytes;
}

/**
 * The audio file of the input item, not opened. Throws UserError that lists the fields of the item.
 *
 * @param parameter value of 'Input Data Field Name': the name of a field, or the file that an expression yields
 */
export function inputFileSource(context: IExecuteSingleFunctions, parameter: unknown): AudioSource {
	const { id, data, fileName = '', mimeType } = chooseFile(context, parameter);
	const declared = { name: fileName, mimeType };
	// n8n's in-memory mode: the item itself contains the file.
	const isInItem = id === undefined || id === '';
	return {
		identity: [isInItem ? data : id, fileName, mimeType],
		async open(signal) {
			if (isInItem) {
				const bytes = Buffer.from(data, 'base64');
				return { size: bytes.length, declared, chunks: inOneChunk(bytes), close() {} };
			}
			try {
				const { fileSize } = await context.helpers.getBinaryMetadata(id);
				// Node allocates a chunk of this size even for a smaller file.
				const chunkBytes = Math.min(fileChunkBytes, fileSize || fileChunkBytes);
				const stream = await context.helpers.getBinaryStream(id, chunkBytes);
				// Ends a read that returns no data. Removed on close: the listener would keep the file in memory.
				const stop = () => stream.destroy();
				signal.addEventListener('abort', stop);
				stream.once('close', () => signal.removeEventListener('abort', stop));
				if (signal.aborted) stop();
				return { size: fileSize, declared, chunks: stream, close: () => stream.destroy() };
			} catch (error) {
				return await Promise.reject(audioNotReadable(reasonOf(error)));
			}
		},
	};
}
