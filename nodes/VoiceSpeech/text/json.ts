/**
 * Finds the end of a string in JSON. Without a regular expression, which exceeds the stack for a string of many megabytes.
 *
 * @param json valid JSON, or something that may be
 * @param start index of a string's opening quote
 * @returns the index after its closing quote; the length of the text if it has none
 */
export function skipString(json: string, start: number): number {
	let end = json.indexOf('"', start + 1);
	while (end >= 0) {
		let backslashes = 0;
		while (json[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end + 1;
		end = json.indexOf('"', end + 1);
	}
	return json.length;
}

/** Whether a value is an object that JSON can have, and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value as text, so that its numbers keep digits that JavaScript cannot represent. */
export class JsonText {
	constructor(readonly text: string) {}
}

/**
 * Splits an object into its members without parsing their values, whose numbers would lose digits.
 *
 * @param json the valid JSON of an object
 */
export function splitMembers(json: string): Array<[name: string, value: JsonText]> {
	const inside = json.trim().slice(1, -1);
	const members: string[] = [];
	let depth = 0;
	let start = 0;
	const token = /["{}[\],]/g;
	let found = token.exec(inside);
	while (found !== null) {
		const [character] = found;
		if (character === '"') {
			token.lastIndex = skipString(inside, found.index);
		} else if (character === ',') {
			if (depth === 0) {
				members.push(inside.slice(start, found.index));
				start = token.lastIndex;
			}
		} else {
			depth += character === '{' || character === '[' ? 1 : -1;
		}
		found = token.exec(inside);
	}
	const last = inside.slice(start);
	if (last.trim() !== '') members.push(last);
	return members.map((member) => {
		const endOfName = skipString(member, member.indexOf('"'));
		const value = member.slice(member.indexOf(':', endOfName) + 1).trim();
		return [JSON.parse(member.slice(0, endOfName)) as string, new JsonText(value)];
	});
}

/** The JSON of an object; of several members with one name the last wins, as in JSON.parse. */
export function stringifyObject(members: Array<[name: string, value: string | JsonText]>): string {
	const texts = [...new Map(members)].map(([name, value]) => {
		const text = typeof value === 'string' ? JSON.stringify(value) : value.text;
		return `${JSON.stringify(name)}:${text}`;
	});
	return `{${texts.join(',')}}`;
}

/** Reads a text that n8n, Node or a server reports. It may have any type; '' replaces anything but a string. */
export function toStringOrEmpty(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
