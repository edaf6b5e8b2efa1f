import type { IDataObject } from 'n8n-workflow';

import type { ExtraField } from '../descriptions/fields';
import {
	bodyIsNotObject,
	emptyParameter,
	extraFieldWithoutName,
	invalidJson,
	objectAsText,
} from '../errors/inputError';
import { isObject, JsonText, membersOf, objectText } from '../text/json';

/** A field of the request: a text, or any JSON value. */
export type Field = [name: string, value: string | JsonText];

/** Whether a value counts as not set: white space does. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || String(value).trim() === '';
}

/** The fields of parameters, without the empty ones. Throws UserError for an object without a text. */
export function standardFields(values: IDataObject): Field[] {
	return Object.entries(values).flatMap(([name, value]): Field[] => {
		if (isEmpty(value)) return [];
		const text = String(value);
		if (typeof value === 'object' && text.includes('[object Object]')) throw objectAsText(name);
		return [[name, text]];
	});
}

function parseJson(text: string, label: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw invalidJson(label, error as SyntaxError);
	}
}

/** The rows of 'Extra Fields'; an empty value sends an empty text. Throws UserError without a name or for bad JSON. */
export function readExtraFields(rows: ExtraField[]): Field[] {
	return rows.map(({ name: given, type, value }) => {
		if (isEmpty(given)) throw extraFieldWithoutName();
		// An expression may yield a number.
		const name = String(given);
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
 * The body of 'JSON Body': exactly the given text, unless extra fields must be merged into it. Throws UserError if it is
 * empty or invalid, or if extra fields meet a body that is not an object.
 */
export function jsonBodyText(given: unknown, extra: Field[]): string {
	const value = given ?? ''; // an expression that finds nothing
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (isEmpty(text)) throw emptyParameter('JSON Body');
	const body = parseJson(text, 'JSON Body');
	if (extra.length === 0) return text;
	if (!isObject(body)) throw bodyIsNotObject();
	return objectText([...membersOf(text), ...extra]);
}
