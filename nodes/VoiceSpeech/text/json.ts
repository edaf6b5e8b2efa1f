/**
 * @param json valid JSON, or something that may be
 * @param start place of a string's opening quote
 * @returns the place behind its closing quote. By hand: a regular expression over a string of many megabytes
 * exceeds the stack.
 */
export function endOfString(json: string, start: number): number {
	for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
		let backslashes = 0;
		while (json[at - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return at + 1;
	}
	return json.length;
}

/** A JSON value as it is written: its numbers keep digits that JavaScript could not hold. */
export class JsonText {
	constructor(readonly text: string) {}
}

/**
 * Takes an object apart without reading what is inside its members.
 *
 * @param json the valid JSON of an object
 */
export function membersOf(json: string): Array<[name: string, value: JsonText]> {
	const members: Array<[string, JsonText]> = [];
	const mark = /["{}[\],]/g;
	let depth = 0;
	let start = 0;
	let endOfName = 0;
	const close = (end: number) => {
		if (endOfName === 0) return; // the end of an object without members
		const value = json.slice(json.indexOf(':', endOfName) + 1, end).trim();
		members.push([JSON.parse(json.slice(start, endOfName)) as string, new JsonText(value)]);
		endOfName = 0;
	};
	for (let found = mark.exec(json); found !== null; found = mark.exec(json)) {
		const [character] = found;
		if (character === '"') {
			mark.lastIndex = endOfString(json, found.index);
			if (endOfName > 0) continue;
			start = found.index;
			endOfName = mark.lastIndex;
		} else if (character === ',') {
			if (depth === 1) close(found.index);
		} else if (character === '{' || character === '[') {
			depth++;
		} else if (--depth === 0) {
			close(found.index);
		}
	}
	return members;
}

/** Writes an object; of several members with one name the last wins, as it does where JSON is read. */
export function objectText(members: Array<[name: string, value: string | JsonText]>): string {
	const texts = [...new Map(members)].map(([name, value]) => {
		const text = typeof value === 'string' ? JSON.stringify(value) : value.text;
		return `${JSON.stringify(name)}:${text}`;
	});
	return `{${texts.join(',')}}`;
}
