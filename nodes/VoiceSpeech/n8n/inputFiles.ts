import type { IBinaryData, IDataObject, INodeExecutionData, IExecuteFunctions } from 'n8n-workflow';

import { isDataAddress } from '../audio/dataAddress';
import { type AudioSource, ignoreEarlyErrors, yieldAll } from '../audio/reader';
import { defaultFileField } from '../descriptions/parameters';
import { createAudioNotReadableError } from '../errors/audioError';
import {
	createNoFileError,
	createNoSuchFieldError,
	createNotFileError,
} from '../errors/inputError';
import { formatReason } from '../errors/quote';
import { pieceBytes } from '../limits';
import { toStringOrEmpty } from '../text/json';

/*
 * n8n keeps the files of an item in `binary`. With the workflow setting `binaryMode: combined`, which older versions of n8n
 * do not have, it keeps them in `json`, below `_files`. test/engine/inputFiles.test.mts checks both.
 */

/** The field of an item's json that n8n keeps its files in. */
const filesField = '_files';

type Files = Record<string, IBinaryData>;

/** An input item, and how n8n keeps its files. */
export interface InputItem {
	json: IDataObject;
	binary: INodeExecutionData['binary'];
	/** Position in the node's input. */
	index: number;
	/** Whether files are fields of json. In any other mode, what looks like a file in json is only data. */
	hasFilesInJson: boolean;
	/** Whether an agent calls the node as a tool. */
	isTool: boolean;
	/** Name of a step before the previous one, for error texts; undefined if there is none. */
	earlierStep: string | undefined;
}

/** Whether an entry of `binary`, or of n8n's own field in json, is a file. A Code node may leave out its type. */
function isBinaryEntry(value: unknown): value is IBinaryData {
	if (typeof value !== 'object' || value === null) return false;
	const { id, data } = value as Record<string, unknown>;
	return typeof id === 'string' || typeof data === 'string';
}

/** Whether any other value is a file. It must have a type, because other data may have an ID. */
function isFile(value: unknown): value is IBinaryData {
	return isBinaryEntry(value) && typeof value.mimeType === 'string';
}

function selectFiles(fields: unknown): Files {
	if (typeof fields !== 'object' || fields === null) return {};
	return Object.fromEntries(
		Object.entries(fields).filter((entry): entry is [string, IBinaryData] =>
			isBinaryEntry(entry[1]),
		),
	);
}

/** The files of an input item, by field name. */
export function readFiles({ json, binary, hasFilesInJson }: InputItem): Files {
	const filesInJson = hasFilesInJson ? selectFiles(json[filesField]) : {};
	return { ...filesInJson, ...binary };
}

/** The fields of an input item, without the files that n8n keeps among them and without the error of an earlier step. */
export function readFields({ json, hasFilesInJson }: InputItem): IDataObject {
	const fields = { ...json };
	delete fields.error;
	if (hasFilesInJson) delete fields[filesField];
	return fields;
}

/**
 * The item's only file, or its only one with an audio type. If it has none of those, its only video, which is what browsers
 * declare their recordings as.
 */
function findOnlyFile(files: Files): IBinaryData | undefined {
	const all = Object.values(files);
	if (all.length === 1) return all[0];
	const audio = all.filter((file) => /^audio\//i.test(file.mimeType));
	const video = all.filter((file) => /^video\//i.test(file.mimeType));
	const recordings = audio.length > 0 ? audio : video;
	return recordings.length === 1 ? recordings[0] : undefined;
}

/** With `binaryMode: combined` n8n itself finds a path into the json. */
function findFileAtPath(
	item: InputItem,
	path: string,
	findAtPath: (path: string) => unknown,
): IBinaryData | undefined {
	if (!item.hasFilesInJson) return undefined;
	try {
		const found = findAtPath(path);
		return isFile(found) ? found : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Chooses the audio file of an item.
 *
 * @param parameter value of 'Input Data Field Name': the name of a field, or the file that an expression yields
 * @param findAtPath n8n's own search for a path into the json, which may throw
 * @throws {UserError} that lists the fields of the item
 */
export function chooseInputFile(
	item: InputItem,
	parameter: unknown,
	findAtPath: (path: string) => unknown,
): IBinaryData {
	// Only an expression yields a file, so the workflow's author chose this source.
	if (isFile(parameter)) return parameter;
	const files = selectFiles(readFiles(item));
	const fileFields = Object.keys(files);
	if (typeof parameter === 'object' && parameter !== null) {
		throw fileFields.length === 0 ? createNoFileError(item) : createNotFileError(fileFields);
	}
	const fieldName = String(parameter ?? '').trim();
	if (Object.hasOwn(files, fieldName)) return files[fieldName] as IBinaryData;
	const defaultFile = fieldName === defaultFileField ? findOnlyFile(files) : undefined;
	const file = defaultFile ?? findFileAtPath(item, fieldName, findAtPath);
	if (file !== undefined) return file;
	if (fileFields.length === 0) throw createNoFileError(item);
	const splitField = item.binary ? '$binary' : filesField;
	throw createNoSuchFieldError({ fieldName, fileFields, splitField });
}

/** Reads n8n's storage of files. */
type Storage = Pick<IExecuteFunctions['helpers'], 'getBinaryMetadata' | 'getBinaryStream'>;

type NamedFile = IBinaryData & { fileName: string };

/** The bytes of a file that the item itself contains in base64. A data address is decoded where the audio is opened. */
function decodeContent(data: string): Buffer {
	return Buffer.from(data, isDataAddress(data) ? 'utf8' : 'base64');
}

/** The audio of a file that the item itself contains in base64 (n8n's in-memory mode). */
function createMemorySource(file: NamedFile): AudioSource {
	const { data, fileName, mimeType } = file;
	return {
		fileName,
		isRemote: false,
		identity: [data, fileName, mimeType],
		async open() {
			const bytes = decodeContent(data);
			const declared = { name: fileName, mimeType };
			return { size: bytes.length, declared, chunks: yieldAll([bytes]), close() {} };
		},
	};
}

/** The audio of a file in n8n's storage. */
function createStoredSource(
	{ fileName, mimeType }: NamedFile,
	id: string,
	storage: Storage,
): AudioSource {
	return {
		fileName,
		isRemote: false,
		identity: [id, fileName, mimeType],
		async open(signal) {
			try {
				const { fileSize: size } = await storage.getBinaryMetadata(id);
				// Node allocates a chunk of this size even for a smaller file.
				const chunkBytes = Math.min(pieceBytes, size || pieceBytes);
				const stream = await storage.getBinaryStream(id, chunkBytes);
				ignoreEarlyErrors(stream);
				// Ends a read that returns no data. The listener is removed on close, because it would keep the file in memory.
				const stop = () => stream.destroy();
				signal.addEventListener('abort', stop);
				stream.once('close', () => signal.removeEventListener('abort', stop));
				if (signal.aborted) stop();
				const declared = { name: fileName, mimeType };
				return { size, declared, chunks: stream, close: () => stream.destroy() };
			} catch (error) {
				// n8n's error of a missing file is a UserError too, which a caller would show as it is.
				throw createAudioNotReadableError(formatReason(error));
			}
		},
	};
}

/** The audio of a file of the input, not opened. */
export function createFileSource(file: IBinaryData, storage: Storage): AudioSource {
	// The name and the type may be missing in what a Code node returns.
	const named = {
		...file,
		fileName: toStringOrEmpty(file.fileName),
		mimeType: toStringOrEmpty(file.mimeType),
	};
	const source = file.id ? createStoredSource(named, file.id, storage) : createMemorySource(named);
	return { ...source, file };
}
