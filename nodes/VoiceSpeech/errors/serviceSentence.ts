import { decodeText } from '../text/decode';
import { isObject } from '../text/json';
import { maxQuote, toOneLine, quoteStart } from './quote';
import { textOrEmpty } from './reason';

/** Longest sentence of the service that is quoted, in characters. */
const maxLength = 500;

/** How much of a page is searched, in characters. Its heading comes early. */
const maxPageLength = 8192;

/** Deepest level of a response that is searched. */
const maxDepth = 6;

/** Names of the sentence itself, the most specific first. */
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

/** Names of lists of faulty fields. */
const listNames = ['errors', 'details', 'violations', 'issues', 'invalid_params'];

/** `body.text: ` of `{loc: ["body", "text"], msg}`, and of similar entries of a list. */
function readFieldName(entry: unknown): string {
	if (!isObject(entry)) return '';
	const { loc, field, path, param, pointer, name } = entry;
	const where = loc ?? field ?? path ?? param ?? pointer ?? name;
	const text = Array.isArray(where) ? where.join('.') : textOrEmpty(where);
	return text === '' ? '' : `${text}: `;
}

/** The entries of a list, or of an object such as `{text: ["is empty"], voice_id: "unknown"}`. */
function listEntries(list: unknown): unknown {
	if (!isObject(list)) return list;
	if (sentenceNames.some((name) => name in list)) return [list];
	return Object.entries(list).map(([field, message]) => ({ field, message }));
}

const joinTexts = (texts: string[], separator: string) =>
	texts.filter((text) => text !== '').join(separator);

function findSentence(value: unknown, depth: number): string {
	if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
	if (depth === 0) return '';
	const inside = (member: unknown) => findSentence(member, depth - 1);
	if (Array.isArray(value)) {
		const entries = value.map(
			(entry) => inside(entry) && `${readFieldName(entry)}${inside(entry)}`,
		);
		return joinTexts(entries, '; ');
	}
	if (!isObject(value)) return '';
	const sentence = sentenceNames.map((name) => inside(value[name])).find((text) => text) ?? '';
	const lists = listNames.map((name) => inside(listEntries(value[name])));
	// RFC 9457: the title names the problem type, the detail explains this occurrence. Services often repeat in the
	// sentence what they list.
	const [title = '', ...others] = [textOrEmpty(value.title), ...lists].map((text) =>
		sentence.includes(text) ? '' : text,
	);
	return joinTexts([title, sentence, ...others], ': ');
}

/** The heading or title of an HTML or XML page, else all of its visible text. */
function findPageSentence(page: string): string {
	const visible = page
		.slice(0, maxPageLength)
		.replace(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ');
	const headings = ['message', 'h1', 'title'].map((tag) => {
		const element = new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}\\s*>`, 'i').exec(visible);
		return element?.[1] ?? '';
	});
	const texts = [...headings, visible].map((text) => text.replace(/<[^>]*>/g, ' ').trim());
	return texts.find((text) => text !== '') ?? '';
}

/** Whether a text is an HTML or XML page. */
export const isPage = (text: string) => /^\s*</.test(text);

/** The first characters of a file or response, on one line; of a page, what a reader sees first. */
export function quoteVisibleStart(bytes: Uint8Array, contentType = ''): string {
	const text = decodeText(bytes, contentType);
	return isPage(text)
		? toOneLine(findPageSentence(text), maxQuote)
		: quoteStart(bytes, contentType);
}

/**
 * Finds the service's own words in the first part of an error response of any form: the service documents none.
 *
 * @returns one line; may be empty
 */
export function findServiceSentence(body: string): string {
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		return toOneLine(isPage(body) ? findPageSentence(body) : body, maxLength);
	}
	const isEmpty = typeof value !== 'object' || value === null || !/[\p{L}\p{N}]/u.test(body);
	// JSON of an unknown form is quoted as it is.
	return toOneLine(findSentence(value, maxDepth) || (isEmpty ? '' : body), maxLength);
}
