import type { IDataObject } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import { endOfString } from '../text/json';

/** Whether JavaScript cannot represent this number: it would have other digits, or be infinite. */
function isLost(token: string): boolean {
	const number = Number(token);
	if (!Number.isFinite(number)) return true;
	return /^-?\d+$/.test(token) && number !== 0 && String(number) !== token;
}

/** Puts numbers that JavaScript cannot represent into quotes. */
function quoteLostNumbers(json: string): string {
	if (!/\d{16}|\d[eE]\+?\d{3}/.test(json)) return json;
	const pieces: string[] = [];
	let copied = 0;
	const quoteOrNumber = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
	for (let found = quoteOrNumber.exec(json); found !== null; found = quoteOrNumber.exec(json)) {
		const [token] = found;
		if (token === '"') {
			quoteOrNumber.lastIndex = endOfString(json, found.index);
		} else if (isLost(token)) {
			pieces.push(json.slice(copied, found.index), `"${token}"`);
			copied = quoteOrNumber.lastIndex;
		}
	}
	return pieces.join('') + json.slice(copied);
}

type Container = Record<string, unknown>;

/** Masks the key in the names of an object, in place and in their order. */
function maskNames(object: Container, apiKey: string): void {
	const entries = Object.entries(object);
	if (entries.every(([name]) => maskApiKey(name, apiKey) === name)) return;
	for (const [name] of entries) delete object[name];
	for (const [name, value] of entries) {
		let masked = maskApiKey(name, apiKey);
		// Two names can be equal once they are masked.
		while (Object.hasOwn(object, masked)) masked += '*';
		object[masked] = value;
	}
}

/** Masks the key in all names and texts of a parsed value, in place. Not recursive: deep values overflow the stack. */
function maskInPlace(root: Container, apiKey: string): void {
	const open: Container[] = [root];
	for (let container = open.pop(); container !== undefined; container = open.pop()) {
		if (!Array.isArray(container)) maskNames(container, apiKey);
		for (const [name, value] of Object.entries(container)) {
			if (typeof value === 'string') container[name] = maskApiKey(value, apiKey);
			else if (typeof value === 'object' && value !== null) open.push(value as Container);
		}
	}
}

/**
 * Reads a JSON response, recognised by its content.
 *
 * @returns the service's object unchanged, except for the key; an array or a bare value under `data`; undefined for a
 * text that is not JSON
 */
export function readJson(text: string, apiKey: string): IDataObject | undefined {
	let value: unknown;
	try {
		// Unchanged first: quotes must not turn a text that is not JSON into JSON.
		JSON.parse(text);
		value = JSON.parse(quoteLostNumbers(text));
	} catch {
		return undefined;
	}
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	const result = (isObject ? value : { data: value }) as Container;
	maskInPlace(result, apiKey);
	return result as IDataObject;
}
