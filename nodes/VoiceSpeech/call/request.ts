import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { CheckedCredential } from '../../../credentials/checkedCredential';
import type { AudioSource } from '../audio/reader';
import type { CallOptions } from '../descriptions/options';
import {
	type ExtraField,
	extraFieldsParameter,
	extraFieldTypeParameter,
	jsonBodyParameter,
} from '../descriptions/parameters';
import { isBlank, readChoice } from '../descriptions/readValue';
import {
	createBodyNotObjectError,
	createDuplicateFieldError,
	createEmptyParameterError,
	createInvalidJsonError,
	createUnnamedRowError,
} from '../errors/inputError';
import type { OutputFile } from '../response/readResponse';
import type { Endpoint } from '../service/endpoint';
import { isObject, JsonText, splitMembers, stringifyObject } from '../text/json';
import { type ConnectionOptions, listValuesThatChangeRequest } from './readOptions';

/** A field of the request, whose value is a string or any JSON value. */
export type Field = [name: string, value: string | JsonText];

/** @throws {UserError} if the text is not JSON */
function parseJson(text: string, label: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw createInvalidJsonError(label, error as SyntaxError);
	}
}

/** The text of a value that an expression yields. A date is the text that it has in JSON, without quotes. */
function toText(value: unknown): string {
	if (typeof value !== 'object') return String(value);
	const json = JSON.stringify(value);
	return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** @throws {UserError} without a name, or for another type or bad JSON */
function readExtraField({ name: rawName, type: rawType, value }: ExtraField): Field {
	// An expression may yield nothing, or a number.
	const name = String(rawName ?? '').trim();
	if (name === '') throw createUnnamedRowError(extraFieldsParameter.displayName);
	const label = `${extraFieldsParameter.displayName}: ${name}`;
	const typeParameter = { ...extraFieldTypeParameter, displayName: `${label}: Type` };
	const type = readChoice(typeParameter, rawType ?? 'text');
	if (value === undefined || value === null || value === '') return [name, ''];
	if (type !== 'json') return [name, toText(value)];
	// An expression may yield the value itself instead of its JSON text.
	const json = typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
	parseJson(json, label);
	return [name, new JsonText(json)];
}

/**
 * The rows of 'Extra Fields'; an empty value sends an empty text.
 *
 * @throws {UserError} without a name, or for another type or bad JSON
 */
export function readExtraFields(rows: ExtraField[]): Field[] {
	return rows.map(readExtraField);
}

/** The fields that are sent. Extra fields replace standard fields of the same name. */
export function replaceFields(standard: Field[], extra: Field[]): Field[] {
	const extraNames = new Set(extra.map(([name]) => name));
	const kept = standard.filter(([name]) => !extraNames.has(name));
	return [...kept, ...extra];
}

/** @throws {UserError} if two rows have the same name, because JSON would keep only one of them */
export function validateNamesForJson(extra: Field[]): void {
	const names = extra.map(([name]) => name);
	const repeated = names.find((name, index) => names.indexOf(name) !== index);
	if (repeated !== undefined) throw createDuplicateFieldError(repeated);
}

/** Replaces null by an empty text, because a form has no null. */
export function replaceNulls(fields: Field[]): Field[] {
	return fields.map(([name, value]) => {
		const isNull = value instanceof JsonText && value.text === 'null';
		return [name, isNull ? '' : value];
	});
}

/**
 * Builds the body from 'JSON Body'. It is exactly the given text, unless extra fields must be merged into it.
 *
 * @returns JSON
 * @throws {UserError} if it is empty or invalid, if extra fields meet a body that is not an object, or if two of them have
 * the same name
 */
export function buildJsonBody(rawValue: unknown, extra: Field[]): string {
	// An expression may find nothing.
	const value = rawValue ?? '';
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (isBlank(text)) throw createEmptyParameterError(jsonBodyParameter.displayName);
	const body = parseJson(text, jsonBodyParameter.displayName);
	if (extra.length === 0) return text;
	if (!isObject(body)) throw createBodyNotObjectError();
	validateNamesForJson(extra);
	return stringifyObject([...splitMembers(text), ...extra]);
}

/** A body without audio. */
type BodyWithoutAudio =
	/** A multipart form whose file is replaced by one of 'Extra Fields'. */
	| { kind: 'form'; fields: Field[] }
	/** JSON that is sent as it is. */
	| { kind: 'json'; text: string };

/** The content of a request, before its audio is opened. */
export type Payload =
	| BodyWithoutAudio
	/** A multipart form with audio. */
	| { kind: 'audioForm'; fields: Field[]; audio: AudioSource }
	/** Audio as the body, without fields. */
	| { kind: 'audioBody'; audio: AudioSource };

/** What is sent for one item. It is checked, and nothing is opened yet. */
export interface PreparedRequest {
	endpoint: Endpoint;
	options: CallOptions;
	connection: ConnectionOptions;
	payload: Payload;
	/** The requested voice, as it is sent; undefined for an operation without one. */
	voiceId: IDataObject[string];
	/** Where a file of the response goes. */
	outputFile: OutputFile;
	/** The credential as n8n resolved it for this item. n8n's client gets this same object. */
	credentialData: ICredentialDataDecryptedObject;
	/** The checked fields of `credentialData` that the node uses. */
	credential: CheckedCredential;
}

/** The name of the file that a request sends; empty if it sends none, or one without a name. */
export function getFileName({ payload }: PreparedRequest): string {
	return 'audio' in payload ? (payload.audio.fileName ?? '') : '';
}

/** Open audio. Only its start has been read. The rest is read during the upload, so that memory does not grow with it. */
export interface Upload {
	fileName: string;
	/** Empty if it is unknown. */
	mimeType: string;
	/** In bytes; undefined if the source does not report it. */
	size: number | undefined;
	/** Reads all bytes. Can be called once. */
	read(): AsyncIterable<Uint8Array>;
}

/** The body of a request, whose audio is open. */
export type RequestBody =
	| BodyWithoutAudio
	/** A multipart form with audio in front of its other fields. */
	| { kind: 'audioForm'; fields: Field[]; fileFieldName: string; upload: Upload }
	/** Audio without fields. */
	| { kind: 'audioBody'; upload: Upload & { size: number } };

/**
 * Identifies a request in its run. Requests with equal fingerprints count as the same (docs/credits.md, rule 5). It
 * contains the key, and the file itself where n8n keeps files in memory, so it stays in the memory of its run.
 */
export type Fingerprint = readonly string[];

export function computeFingerprint({ credential, payload, options }: PreparedRequest): Fingerprint {
	const common: Fingerprint = [
		credential.baseUrl,
		credential.apiKey,
		payload.kind,
		JSON.stringify(listValuesThatChangeRequest(options)),
	];
	switch (payload.kind) {
		case 'json':
			return [...common, payload.text];
		case 'audioBody':
			return [...common, ...payload.audio.identity];
		case 'form':
			return [...common, JSON.stringify(payload.fields)];
		case 'audioForm':
			return [...common, JSON.stringify(payload.fields), ...payload.audio.identity];
	}
}

/** Compares two requests by their elements, because an element may be an entire file. */
export function isSameRequest(first: Fingerprint, second: Fingerprint): boolean {
	return (
		first.length === second.length && first.every((element, index) => element === second[index])
	);
}
