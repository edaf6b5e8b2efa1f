import {
	extraFieldsParameter,
	extraFieldTypeParameter,
	jsonBodyParameter,
	type ExtraField,
} from '../descriptions/parameters';
import { isBlank, readChoice } from '../descriptions/readValue';
import {
	createBodyNotObjectError,
	createDuplicateFieldError,
	createEmptyParameterError,
	createInvalidJsonError,
	createUnnamedRowError,
} from '../errors/inputError';
import { isObject, JsonText, splitMembers, stringifyObject } from '../text/json';

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
