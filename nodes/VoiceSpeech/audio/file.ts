import type {
	IBinaryData,
	IDataObject,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import type { Recording } from './recording';

/** In bytes: what Node itself takes for a file. */
const chunkSize = 64 * 1024;

/** What the parameter holds until the user changes it. */
const defaultFieldName = 'data';

function isFile(value: unknown): value is IBinaryData {
	return (
		typeof value === 'object' &&
		value !== null &&
		'mimeType' in value &&
		('data' in value || 'id' in value)
	);
}

/** Where n8n keeps an item's files with the workflow setting `binaryMode: combined`: a field of its json. */
const filesInJson = '_files';

function filesIn(fields: unknown): Record<string, IBinaryData> {
	if (typeof fields !== 'object' || fields === null) return {};
	return Object.fromEntries(
		Object.entries(fields).filter((entry): entry is [string, IBinaryData] => isFile(entry[1])),
	);
}

/** The files that travel with an item, by field name, in both of n8n's binary modes. */
export function filesOf(item: INodeExecutionData): Record<string, IBinaryData> {
	return { ...filesIn(item.json[filesInJson]), ...item.binary };
}

/** The item's fields without the files that n8n keeps among them. */
export function fieldsOf(json: IDataObject): IDataObject {
	const fields = { ...json };
	delete fields[filesInJson];
	return fields;
}

function noSuchField(fieldName: string, names: string[]): UserError {
	if (names.length === 0) {
		return new UserError('The item has no file', {
			description: `'Input Data Field Name' is '${fieldName}', but nothing came with this item. Check that the previous step outputs a file, or set 'Audio Source' to 'URL'.`,
		});
	}
	const several = names.filter((name) => /_\d+$/.test(name));
	const split =
		several.length > 1
			? ' A form with several files puts them all into one item: to transcribe each, split them into items first, e.g. with a Code node: return Object.values($input.item.binary).map((file) => ({ json: {}, binary: { data: file } }));'
			: '';
	return new UserError(`The item has no file in the field '${fieldName}'`, {
		description: `Set 'Input Data Field Name' to one of the fields it has: ${names.map((name) => `'${name}'`).join(', ')}.${split}`,
	});
}

/** The item's file that the parameter means (contract, `binaryPropertyName`). */
function chooseFile(context: IExecuteSingleFunctions, parameter: unknown): IBinaryData {
	// An expression may yield the file itself, of any earlier step.
	if (isFile(parameter)) return parameter;
	const fieldName = String(parameter ?? '').trim();
	const item = context.getInputData();
	const files = { ...filesIn(item.json), ...filesOf(item) };
	const named: unknown = files[fieldName];
	if (isFile(named)) return named;
	if (fieldName === defaultFieldName) {
		const all = Object.values(files);
		const audio = all.filter((file) => file.mimeType.startsWith('audio/'));
		const only = all.length === 1 ? all[0] : audio.length === 1 ? audio[0] : undefined;
		if (only !== undefined) return only;
	}
	try {
		// What n8n itself finds, a path into the json of `binaryMode: combined` for example.
		const found: unknown = context.helpers.assertBinaryData(fieldName);
		if (isFile(found)) return found;
	} catch {
		// Nothing: said below, with the fields there are.
	}
	throw noSuchField(fieldName, Object.keys(files));
}

/**
 * The recording that the item carries. No file is opened.
 *
 * @param parameter value of `binaryPropertyName`: a field name, or a file
 * @throws UserError that lists the fields the item has
 */
export function recordingOfItem(context: IExecuteSingleFunctions, parameter: unknown): Recording {
	const file = chooseFile(context, parameter);
	const announced = { name: file.fileName ?? '', mimeType: file.mimeType };
	const { id } = file;
	if (id === undefined || id === '') {
		return {
			identity: [file.data, announced.name, announced.mimeType],
			async open() {
				const bytes = Buffer.from(file.data, 'base64');
				return { size: bytes.length, announced, chunks: inChunks(bytes), copies: 0, close() {} };
			},
		};
	}
	return {
		identity: [id, announced.name, announced.mimeType],
		async open() {
			const { fileSize } = await context.helpers.getBinaryMetadata(id);
			const stream = await context.helpers.getBinaryStream(id, chunkSize);
			return {
				size: fileSize,
				announced,
				chunks: stream,
				copies: 1,
				close: () => stream.destroy(),
			};
		},
	};
}

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
	for (let start = 0; start < bytes.length; start += chunkSize) {
		yield bytes.subarray(start, start + chunkSize);
	}
}
