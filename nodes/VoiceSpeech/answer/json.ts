import type { IDataObject } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import { endOfString } from '../text/json';

/** A number that comes out of JavaScript with other digits, or as none at all. */
function isLost(token: string): boolean {
	const number = Number(token);
	if (!Number.isFinite(number)) return true;
	return /^-?\d+$/.test(token) && number !== 0 && String(number) !== token;
}

/** Puts numbers that JavaScript can't hold into quotes (contract, Output). */
function keepLargeNumbers(json: string): string {
	if (!/\d{16}|\d[eE]\+?\d{3}/.test(json)) return json;
	const pieces: string[] = [];
	let kept = 0;
	const quoteOrNumber = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
	for (let found = quoteOrNumber.exec(json); found !== null; found = quoteOrNumber.exec(json)) {
		const [token] = found;
		if (token === '"') {
			quoteOrNumber.lastIndex = endOfString(json, found.index);
		} else if (isLost(token)) {
			pieces.push(json.slice(kept, found.index), `"${token}"`);
			kept = quoteOrNumber.lastIndex;
		}
	}
	return pieces.join('') + json.slice(kept);
}

/** Hides the key wherever the answer echoes it, in names and in values. */
function masked(value: unknown, apiKey: string): unknown {
	if (typeof value === 'string') return maskApiKey(value, apiKey);
	if (Array.isArray(value)) return value.map((entry) => masked(entry, apiKey));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [maskApiKey(name, apiKey), masked(entry, apiKey)]),
	);
}

/**
 * Reads a JSON answer, known by its content, whatever its announced type is.
 *
 * @returns the service's object as it came; an array or a bare value under `data`; undefined for what is no JSON
 */
export function readJson(text: string, apiKey: string): IDataObject | undefined {
	let value: unknown;
	try {
		// As it stands first: what is no JSON must not become JSON by the quotes put into it.
		JSON.parse(text);
		value = masked(JSON.parse(keepLargeNumbers(text)), apiKey);
	} catch {
		return undefined;
	}
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return (isObject ? value : { data: value }) as IDataObject;
}
