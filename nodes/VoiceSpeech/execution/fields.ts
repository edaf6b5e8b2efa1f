import type { IDataObject } from 'n8n-workflow';

import type { ExtraField } from '../descriptions/extraFields';
import type { RequiredParameter } from '../endpoint';
import {
	bodyIsNotObject,
	emptyParameter,
	extraFieldWithoutName,
	fieldNameCollides,
	invalidJson,
	objectAsText,
} from '../errors/inputError';
import { JsonText, membersOf, objectText } from '../text/json';
import type { ReadParameter } from './item';

/** A field of the request: a text, or any JSON value. */
export type Field = [name: string, value: string | JsonText];

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || String(value).trim() === '';
}

/**
 * @param routed the fields that the parameters' routing put into the body
 * @throws UserError for the first required parameter that is empty
 */
export function requireParameters(required: RequiredParameter[], routed: IDataObject): void {
	const empty = required.find(({ field }) => isEmpty(routed[field]));
	if (empty) throw emptyParameter(empty.label);
}

function textField(name: string, value: unknown): [name: string, text: string] {
	const text = String(value);
	if (typeof value === 'object' && text.includes('[object Object]')) throw objectAsText(name);
	return [name, text];
}

/**
 * The text of an operation that sends one.
 *
 * @param name of the field that carries it
 * @throws UserError if it is empty, or if an expression yields an object instead of a text
 */
export function requiredText(read: ReadParameter, name: string): [name: string, text: string] {
	const value = read('text');
	if (isEmpty(value)) throw emptyParameter('Text');
	return textField(name, value);
}

/**
 * The fields of the operation's own parameters; optional ones that are empty are not sent.
 *
 * @throws UserError if an expression yields an object instead of a text
 */
export function standardFields(routed: IDataObject): Field[] {
	return Object.entries(routed)
		.filter(([, value]) => !isEmpty(value))
		.map(([name, value]) => textField(name, value));
}

/**
 * Two fields of one name would replace each other.
 *
 * @param option label of the option that names the field
 * @throws UserError if another standard field has this name
 */
export function checkFieldName(option: string, name: string, routed: IDataObject): void {
	if (Object.keys(routed).includes(name)) throw fieldNameCollides(option, name);
}

/** @throws UserError that names the parameter if the text is not JSON */
function parseJson(text: string, label: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw invalidJson(label, error as SyntaxError);
	}
}

/**
 * The rows of 'Extra Fields' in their order. An empty or null value sends an empty text.
 *
 * @throws UserError for a row without a name, and for a JSON value that is not JSON
 */
export function readExtraFields(read: ReadParameter): Field[] {
	const rows = read('extraFields.field', []) as ExtraField[];
	return rows.map(({ name, type, value }) => {
		if (isEmpty(name)) throw extraFieldWithoutName();
		if (value === undefined || value === null || value === '') return [name, ''];
		// An expression may yield the value itself instead of its JSON text.
		if (type !== 'json') {
			return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
		}
		const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
		const parsed = parseJson(text, `Extra Fields: ${name}`);
		return [name, parsed === null ? '' : new JsonText(text)];
	});
}

/** Extra fields replace standard fields of the same name. */
export function mergeFields(standard: Field[], extra: Field[]): Field[] {
	const names = new Set(extra.map(([name]) => name));
	return [...standard.filter(([name]) => !names.has(name)), ...extra];
}

/**
 * The body of 'JSON Body': exactly the given text, unless extra fields must be merged into it.
 *
 * @throws UserError if it is not JSON, or if there are extra fields and the body is not an object
 */
export function jsonBodyText(given: unknown, extra: Field[]): string {
	const value = given ?? ''; // an expression that finds nothing
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (isEmpty(text)) throw emptyParameter('JSON Body');
	const body = parseJson(text, 'JSON Body');
	if (extra.length === 0) return text;
	if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bodyIsNotObject();
	return objectText([...membersOf(text), ...extra]);
}
