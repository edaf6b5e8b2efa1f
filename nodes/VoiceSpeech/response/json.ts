import type { IDataObject } from 'n8n-workflow';

import type { KeyMasker } from '../../../credentials/maskApiKey';
import { findStringEnd, isObject } from '../text/json';

/** Whether JavaScript cannot represent this number, which would have other digits or be infinite. */
function losesPrecision(token: string): boolean {
	const number = Number(token);
	if (!Number.isFinite(number)) return true;
	if (/e/i.test(token) || number === 0) return false;
	// The digits of a fraction are a matter of precision, but those before it are not.
	const isLarge = !Number.isSafeInteger(Math.trunc(number));
	const isInteger = !token.includes('.');
	return isInteger ? String(number) !== token : isLarge;
}

/** Masks the key in all names and texts of this JSON, and puts numbers that JavaScript cannot represent into quotes. */
function maskKeyAndQuoteBigNumbers(json: string, maskKey: KeyMasker): string {
	const pieces: string[] = [];
	let copied = 0;
	const stringOrNumber = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
	let found = stringOrNumber.exec(json);
	while (found !== null) {
		const [token] = found;
		let replacement: string | undefined;
		if (token === '"') {
			stringOrNumber.lastIndex = findStringEnd(json, found.index);
			const text = JSON.parse(json.slice(found.index, stringOrNumber.lastIndex)) as string;
			const masked = maskKey(text);
			if (masked !== text) replacement = masked;
		} else if (losesPrecision(token)) {
			replacement = token;
		}
		if (replacement !== undefined) {
			pieces.push(json.slice(copied, found.index), JSON.stringify(replacement));
			copied = stringOrNumber.lastIndex;
		}
		found = stringOrNumber.exec(json);
	}
	return pieces.join('') + json.slice(copied);
}

/**
 * The object of a JSON response, unchanged except for the key; an array or a bare value under `data`. Undefined for a
 * text that is not JSON.
 */
export function readJson(text: string, maskKey: KeyMasker): IDataObject | undefined {
	try {
		// The unchanged text is parsed first, because quotes must not turn a text that is not JSON into JSON.
		JSON.parse(text);
	} catch {
		return undefined;
	}
	const value = JSON.parse(maskKeyAndQuoteBigNumbers(text, maskKey)) as IDataObject[string];
	return isObject(value) ? (value as IDataObject) : { data: value };
}
