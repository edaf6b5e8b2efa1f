import type { IDataObject } from 'n8n-workflow';

import {
	bodyIsNoObject,
	emptyParameter,
	extraFieldWithoutName,
	invalidJson,
	objectAsText,
} from '../errors/input';
import type { RequiredParameter } from '../endpoint';
import type { ExtraField } from '../fields/extraFields';
import { JsonText, membersOf, objectText } from '../text/json';
import type { ReadParameter } from './options';

/** A field of the request: a text as it stands, or any JSON value. */
export type Field = [name: string, value: string | JsonText];

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || String(value).trim() === '';
}

/**
 * @param body with what the parameters' routing has put there; where there is none, they are read
 * @throws UserError for the first parameter that must hold something and is empty
 */
export function requireParameters(
	read: ReadParameter,
	required: RequiredParameter[],
	body: unknown,
): void {
	for (const { name, field, label } of required) {
		// Not read twice: an expression takes n8n long.
		const value = body ? (body as IDataObject)[field] : read(name);
		if (isEmpty(value)) throw emptyParameter(label);
	}
}

function textField(name: string, value: unknown): [name: string, text: string] {
	const text = String(value);
	if (typeof value === 'object' && text.includes('[object Object]')) throw objectAsText(name);
	return [name, text];
}

/**
 * The text of an operation that sends one.
 *
 * @param name under which it is sent
 * @throws UserError where it is empty, or an expression yields an object instead of a text
 */
export function requiredText(read: ReadParameter, name: string): [name: string, text: string] {
	const value = read('text');
	if (isEmpty(value)) throw emptyParameter('Text');
	return textField(name, value);
}

/**
 * What the operation's own parameters send, by their routing; optional ones that are empty send nothing.
 *
 * @throws UserError where an expression yields an object instead of a text
 */
export function standardFields(body: unknown): Field[] {
	return Object.entries((body ?? {}) as IDataObject)
		.filter(([, value]) => !isEmpty(value))
		.map(([name, value]) => textField(name, value));
}

/** @throws UserError that names the parameter, for what is no JSON */
function parseJson(text: string, label: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw invalidJson(label, error as SyntaxError);
	}
}

/**
 * The rows of 'Extra Fields' in their order.
 *
 * @throws UserError for a row without a name, and for a JSON value that is none
 */
export function extraFieldsOf(read: ReadParameter): Field[] {
	const rows = read('extraFields.field', []) as ExtraField[];
	return rows.map(({ name, type, value }) => {
		if (isEmpty(name)) throw extraFieldWithoutName();
		// An expression may yield the value itself instead of its JSON text.
		if (type !== 'json') {
			return [name, typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')];
		}
		const text = typeof value === 'string' ? value.trim() : String(JSON.stringify(value));
		parseJson(text, `Extra Fields: ${name}`);
		return [name, new JsonText(text)];
	});
}

/** Extra fields go over standard ones of the same name. */
export function mergeFields(standard: Field[], extra: Field[]): Field[] {
	const names = new Set(extra.map(([name]) => name));
	return [...standard.filter(([name]) => !names.has(name)), ...extra];
}

/**
 * The body of 'JSON Body': the text that was given, unless extra fields must be merged into it.
 *
 * @throws UserError for what is no JSON, and for extra fields where the body is no object
 */
export function jsonBodyText(given: unknown, extra: Field[]): string {
	const value = given ?? ''; // an expression that finds nothing
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (isEmpty(text)) throw emptyParameter('JSON Body');
	const body = parseJson(text, 'JSON Body');
	if (extra.length === 0) return text;
	if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bodyIsNoObject();
	return objectText([...membersOf(text), ...extra]);
}
