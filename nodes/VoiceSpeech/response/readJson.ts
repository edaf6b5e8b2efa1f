import type { IDataObject } from 'n8n-workflow';

import type { KeyMasker } from '../../../credentials/checkedCredential';
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
 * Replaces strings and numbers of JSON, and NaN and Infinity, which JSON does not have. Names of members are strings too.
 *
 * @param replace gets each of them as JSON, and returns the JSON that replaces it, or undefined
 */
function replaceTokens(json: string, replace: (token: string) => string | undefined): string {
	const pieces: string[] = [];
	let copied = 0;
	const anyToken = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?(?:NaN|Inf(?:inity)?)/gi;
	let found = anyToken.exec(json);
	while (found !== null) {
		if (found[0] === '"') anyToken.lastIndex = skipString(json, found.index);
		const replacement = replace(json.slice(found.index, anyToken.lastIndex));
		if (replacement !== undefined) {
			pieces.push(json.slice(copied, found.index), replacement);
			copied = anyToken.lastIndex;
		}
		found = anyToken.exec(json);
	}
	return pieces.join('') + json.slice(copied);
}

/** The masked string, as JSON; undefined if it does not contain the key. */
function maskString(token: string, maskKey: KeyMasker): string | undefined {
	const text = JSON.parse(token) as string;
	const masked = maskKey(text);
	return masked === text ? undefined : JSON.stringify(masked);
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/**
 * The text as valid JSON. Python writes NaN and Infinity, and other languages `nan` and `inf`, but JSON has no such numbers
 * (RFC 8259, 6), so they become null. A bare one stays what it is, because it may be a word.
 *
 * @returns undefined if the text is not JSON
 */
function toValidJson(text: string): string | undefined {
	if (isJson(text)) return text;
	if (!/^\s*[[{]/.test(text)) return undefined;
	const replaced = replaceTokens(text, (token) => (/^-?[ni]/i.test(token) ? 'null' : undefined));
	return isJson(replaced) ? replaced : undefined;
}

/**
 * The object of a JSON response; an array or a bare value under `data`. It is unchanged, except that the key is masked,
 * that numbers which JavaScript cannot represent become strings, and that NaN and Infinity within it become null. Undefined
 * if the text is not JSON.
 */
export function readJson(text: string, maskKey: KeyMasker): IDataObject | undefined {
	// Checked before numbers get quotes, by which a text that is not JSON could become JSON.
	const valid = toValidJson(text);
	if (valid === undefined) return undefined;
	// Strings without escapes are in the text as they are, so all of them are searched at once, which is faster.
	const containsKey = maskKey(valid) !== valid;
	const json = replaceTokens(valid, (token) => {
		if (!token.startsWith('"')) return losesPrecision(token) ? JSON.stringify(token) : undefined;
		return containsKey || token.includes('\\') ? maskString(token, maskKey) : undefined;
	});
	const value = JSON.parse(json) as IDataObject[string];
	return isObject(value) ? (value as IDataObject) : { data: value };
}
