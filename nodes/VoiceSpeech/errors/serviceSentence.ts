/** Longest sentence of the service that is quoted, in characters. */
const maxLength = 500;

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `body.text` of `{loc: ["body", "text"], msg}`. */
function placeOf(entry: Json): string {
	const { loc, field, pointer } = entry;
	const place = Array.isArray(loc) ? loc.join('.') : (field ?? pointer);
	return typeof place === 'string' || typeof place === 'number' ? `${place}: ` : '';
}

/** Keys that services put their sentence under, the most telling first. */
const sentenceKeys = [
	'message',
	'msg',
	'detail',
	'details',
	'error_description',
	'description',
	'error',
	'errors',
	'reason',
	'title',
	'code',
];

function sentenceOf(value: unknown, depth: number): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	if (depth === 0) return '';
	if (Array.isArray(value)) {
		return value
			.map((entry) =>
				isObject(entry)
					? `${placeOf(entry)}${sentenceOf(entry, depth - 1)}`
					: sentenceOf(entry, depth - 1),
			)
			.filter((sentence) => sentence !== '')
			.join('; ');
	}
	if (!isObject(value)) return '';
	for (const key of sentenceKeys) {
		const sentence = sentenceOf(value[key], depth - 1);
		if (sentence !== '') return sentence;
	}
	return '';
}

/** `{text: ["is empty"], voice_id: "unknown"}`: the keys are the fields. */
function fieldSentences(errors: unknown): string {
	if (!isObject(errors)) return '';
	return Object.entries(errors)
		.map(([field, value]) => [field, sentenceOf(value, 3)])
		.filter(([, sentence]) => sentence !== '')
		.map(([field, sentence]) => `${field}: ${sentence}`)
		.join('; ');
}

function sentenceOfJson(body: unknown): string {
	if (isObject(body)) {
		// RFC 9457 problem details: the title is general, the detail is about this very call.
		const { title, detail, errors } = body;
		const fields = fieldSentences(errors);
		if (fields !== '')
			return [sentenceOf(body.message ?? title, 1), fields].filter(Boolean).join(': ');
		if (typeof title === 'string' && typeof detail === 'string') return `${title}: ${detail}`;
	}
	return sentenceOf(body, 4);
}

const entities: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

function plainText(html: string): string {
	return html
		.replace(/<[^>]*>/g, ' ')
		.replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
		.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (entity, name: string) => entities[name] ?? entity)
		.trim();
}

/** What the page shows; its title where it shows nothing. */
function sentenceOfHtml(html: string): string {
	const shown = html.replace(/<(head|script|style)\b[\s\S]*?<\/\1>/gi, ' ');
	return plainText(shown) || plainText(/<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? '');
}

/**
 * Digs the service's own sentence out of an error answer, whatever shape it has: the interface document shows none.
 *
 * @param body the answer's beginning, as text
 * @returns one line, empty where the answer says nothing
 */
export function serviceSentence(body: string): string {
	let sentence: string;
	try {
		sentence = sentenceOfJson(JSON.parse(body));
	} catch {
		sentence = /^\s*</.test(body) ? sentenceOfHtml(body) : body;
	}
	const line = sentence.replace(/\s+/g, ' ').trim();
	return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
