import { sentenceOfHtml } from './htmlSentence';
import { oneLine } from './quote';
import { textOrEmpty } from './reason';

/** Longest sentence of the service that is quoted, in characters. */
const maxLength = 500;

/** Deepest level of a response that is searched. */
const maxDepth = 6;

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of the sentence itself, the most specific first. */
const sentenceNames = [
	...['message', 'msg', 'detail', 'error_description', 'error_message', 'errorMessage'],
	...['description', 'reason', 'faultstring', 'error', 'fault'],
];

/** Names of lists of faulty fields. */
const listNames = ['errors', 'details', 'violations', 'issues', 'invalid_params'];

/** Names of what is better than nothing. */
const lastNames = ['type', 'code', 'status'];

/** `body.text: ` of `{loc: ["body", "text"], msg}`, and of similar entries of a list. */
function fieldOf(entry: unknown): string {
	if (!isObject(entry)) return '';
	const { loc, field, path, param, pointer, name } = entry;
	const place = loc ?? field ?? path ?? param ?? pointer ?? name;
	const text = Array.isArray(place) ? place.join('.') : textOrEmpty(place);
	return text === '' ? '' : `${text}: `;
}

/** The entries of a list, or of an object such as `{text: ["is empty"], voice_id: "unknown"}`. */
function entriesOf(list: unknown): unknown {
	if (!isObject(list)) return list;
	if (sentenceNames.some((name) => name in list)) return [list];
	return Object.entries(list).map(([field, message]) => ({ field, message }));
}

const joined = (texts: string[], separator: string) =>
	texts.filter((text) => text !== '').join(separator);

function underNames(value: Json, names: string[], depth: number): string {
	for (const name of names) {
		const sentence = sentenceOf(value[name], depth);
		if (sentence !== '') return sentence;
	}
	return '';
}

function sentenceOfObject(value: Json, depth: number): string {
	const sentence = underNames(value, sentenceNames, depth);
	// RFC 9457: the title names the problem type, the detail explains this occurrence.
	const title = textOrEmpty(value.title);
	const lists = listNames.map((name) => sentenceOf(entriesOf(value[name]), depth));
	// Services often repeat in the sentence what they list.
	const others = [title, ...lists].map((text) => (sentence.includes(text) ? '' : text));
	const [first = '', ...rest] = others;
	return joined([first, sentence, ...rest], ': ') || underNames(value, lastNames, depth);
}

function sentenceOf(value: unknown, depth: number): string {
	if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
	if (depth === 0) return '';
	if (!Array.isArray(value)) return isObject(value) ? sentenceOfObject(value, depth - 1) : '';
	const entries = value.map((entry) => {
		const sentence = sentenceOf(entry, depth - 1);
		return sentence === '' ? '' : `${fieldOf(entry)}${sentence}`;
	});
	return joined(entries, '; ');
}

/**
 * Finds the service's own words in an error response of any form: the service documents none.
 *
 * @param body the first part of the response, as text
 * @returns one line; empty if the response says nothing
 */
export function serviceSentence(body: string): string {
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		return oneLine(/^\s*</.test(body) ? sentenceOfHtml(body) : body, maxLength);
	}
	const isEmpty = typeof value !== 'object' || value === null || !/[\p{L}\p{N}]/u.test(body);
	// JSON of an unknown form is quoted as it is.
	return oneLine(sentenceOf(value, maxDepth) || (isEmpty ? '' : body), maxLength);
}
