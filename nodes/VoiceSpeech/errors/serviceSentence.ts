import { sentenceOfHtml } from './htmlSentence';
import { oneLine } from './oneLine';

/** Longest sentence of the service that is quoted, in characters. */
const longest = 500;

/** How deep an answer is searched; what is nested deeper says nothing to a person. */
const deepest = 6;

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names under which services put the sentence itself, the most telling first. */
const sentenceNames = [
	'message',
	'msg',
	'detail',
	'error_description',
	'error_message',
	'errorMessage',
	'description',
	'reason',
	'faultstring',
	'error',
	'fault',
];

/** Names under which they list what is wrong with which field. */
const listNames = ['errors', 'details', 'violations', 'issues', 'invalid_params'];

/** Names of what is better than nothing. */
const lastNames = ['type', 'code', 'status'];

/** `body.text: ` of `{loc: ["body", "text"], msg}`, and of its relatives. */
function placeOf({ loc, field, path, param, name, pointer }: Json): string {
	const place = loc ?? field ?? path ?? param ?? pointer ?? name;
	const text = Array.isArray(place) ? place.join('.') : place;
	return typeof text === 'string' && text !== '' ? `${text}: ` : '';
}

function joined(sentences: string[], separator: string): string {
	return sentences.filter((sentence) => sentence !== '').join(separator);
}

/** The first name of these under which something is said. */
function underNames(value: Json, names: string[], depth: number): string {
	for (const name of names) {
		const sentence = sentenceOf(value[name], depth);
		if (sentence !== '') return sentence;
	}
	return '';
}

/** A list of sentences, or fields with what is wrong with each: `{text: ["is empty"], voice_id: "unknown"}`. */
function listOf(value: unknown, depth: number): string {
	if (!isObject(value)) return sentenceOf(value, depth);
	// An object with a sentence of its own is one entry, not a list of fields.
	const own = underNames(value, sentenceNames, depth);
	if (own !== '') return `${placeOf(value)}${own}`;
	const fields = Object.entries(value).map(([field, entry]) => {
		const sentence = sentenceOf(entry, depth);
		return sentence === '' ? '' : `${field}: ${sentence}`;
	});
	return joined(fields, '; ');
}

function sentenceOfObject(value: Json, depth: number): string {
	const sentence = underNames(value, sentenceNames, depth);
	// RFC 9457 problem details: the title is general, the detail is about this very call.
	const title =
		typeof value.title === 'string' && !sentence.includes(value.title) ? value.title : '';
	const lists = listNames.map((name) => listOf(value[name], depth));
	// Services often repeat in the sentence what they list.
	const others = lists.filter((list) => !sentence.includes(list));
	const said = joined([title, sentence, ...others], ': ');
	return said || underNames(value, lastNames, depth);
}

function sentenceOf(value: unknown, depth: number): string {
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	if (depth === 0) return '';
	if (Array.isArray(value)) {
		const entries = value.map((entry) =>
			isObject(entry)
				? `${placeOf(entry)}${sentenceOf(entry, depth - 1)}`
				: sentenceOf(entry, depth - 1),
		);
		return joined(entries, '; ');
	}
	return isObject(value) ? sentenceOfObject(value, depth - 1) : '';
}

/**
 * Digs the service's own sentence out of an error answer, of any shape: the service documents none.
 *
 * @param body the answer's beginning, as text
 * @returns one line, empty where the answer says nothing
 */
export function serviceSentence(body: string): string {
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		return oneLine(/^\s*</.test(body) ? sentenceOfHtml(body) : body, longest);
	}
	const saysNothing = typeof value !== 'object' || value === null || !/[\p{L}\p{N}]/u.test(body);
	// A shape that nobody has seen before speaks for itself.
	return oneLine(sentenceOf(value, deepest) || (saysNothing ? '' : body), longest);
}
