import type { IDataObject } from 'n8n-workflow';

import type { KeyMasker } from '../../../credentials/maskApiKey';
import { isObject, skipString } from '../text/json';

/**
 * Whether a JavaScript number of this text would have another integer part, or be infinite. A number with an exponent may
 * be rounded.
 */
function losesPrecision(token: string): boolean {
	const number = Number(token);
	if (!Number.isFinite(number)) return true;
	if (/e/i.test(token) || number === 0) return false;
	// Rounding the digits of a fraction is accepted.
	const isLarge = !Number.isSafeInteger(Math.trunc(number));
	const isInteger = !token.includes('.');
	return isInteger ? String(number) !== token : isLarge;
}

/**
 * Replaces strings and numbers of JSON. Names of members are strings too.
 *
 * @param replace gets each of them as JSON, and returns the JSON that replaces it, or undefined
 */
function replaceTokens(json: string, replace: (token: string) => string | undefined): string {
	const pieces: string[] = [];
	let copied = 0;
	const stringOrNumber = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
	let found = stringOrNumber.exec(json);
	while (found !== null) {
		if (found[0] === '"') stringOrNumber.lastIndex = skipString(json, found.index);
		const replacement = replace(json.slice(found.index, stringOrNumber.lastIndex));
		if (replacement !== undefined) {
			pieces.push(json.slice(copied, found.index), replacement);
			copied = stringOrNumber.lastIndex;
		}
		found = stringOrNumber.exec(json);
	}
	return pieces.join('') + json.slice(copied);
}

/** The masked string, as JSON; undefined if it does not contain the key. */
function maskString(token: string, maskKey: KeyMasker): string | undefined {
	const text = JSON.parse(token) as string;
	const masked = maskKey(text);
	return masked === text ? undefined : JSON.stringify(masked);
}

/**
 * The object of a JSON response; an array or a bare value under `data`. It is unchanged, except that the key is masked, and
 * that numbers which JavaScript cannot represent become strings. Undefined if the text is not JSON.
 */
export function readJson(text: string, maskKey: KeyMasker): IDataObject | undefined {
	try {
		// The unchanged text is parsed first. A text that is not JSON could become JSON when its numbers get quotes.
		JSON.parse(text);
	} catch {
		return undefined;
	}
	// Strings without escapes are in the text as they are, so all of them are searched at once, which is faster.
	const containsKey = maskKey(text) !== text;
	const json = replaceTokens(text, (token) => {
		if (!token.startsWith('"')) return losesPrecision(token) ? JSON.stringify(token) : undefined;
		return containsKey || token.includes('\\') ? maskString(token, maskKey) : undefined;
	});
	const value = JSON.parse(json) as IDataObject[string];
	return isObject(value) ? (value as IDataObject) : { data: value };
}
