import { maxPageLength, maxQuoteLength, maxSentenceDepth, maxSentenceLength } from '../limits';
import { decodeText } from '../text/decode';
import { isObject, toStringOrEmpty } from '../text/json';

/*
 * How words of others get into our messages. They are the reasons that Node and n8n give, the sentences of the service, and
 * the start of files and responses.
 */

/** Removes the path that a message of Node ends with. The first match is the last one, so this takes linear time. */
function removePath(message: string): string {
	return message.endsWith("'") ? message.replace(/, \w+ '[^]*$/, '') : message;
}

/**
 * The code and the message of an error, for example `ENOENT: no such file or directory`, without the path of a file on the
 * server, which Node's messages end with.
 */
export function formatReason(error: unknown): string {
	const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
	const codeText = toStringOrEmpty(code);
	const messageText = removePath(toStringOrEmpty(message));
	// Node's messages often start with the code.
	if (messageText.startsWith(codeText)) return messageText || 'no reason was given';
	return messageText === '' ? codeText : `${codeText}: ${messageText}`;
}

/** Line breaks, control characters, and characters that change the direction of what follows. */
const unprintable = /[\s\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\ufeff\ufffd]+/gu;

/** Someone else's text on one line, cut to a maximum length in characters. */
export function toOneLine(text: string, maxLength: number): string {
	const line = text.replace(unprintable, ' ').trim();
	const characters = [...line];
	return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : line;
}

/** A text in quotes, on one line and cut. It must not end the quote and go on as a sentence of the node. */
export function quoteText(text: string): string {
	return `'${toOneLine(text.replaceAll("'", '\u2019'), maxQuoteLength)}'`;
}

/** How errors refer to a file, whose name may be empty. */
export function describeFile(name: string): string {
	return name === '' ? 'The file' : `The file ${quoteText(name)}`;
}

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
	const steps: unknown[] = Array.isArray(where) ? where : [where];
	// A step may be any value of JSON, and not every one can be shown.
	const text = steps.filter((step) => ['string', 'number'].includes(typeof step)).join('.');
	return text === '' ? '' : `${text}: `;
}

/** The entries of a list, or of an object such as `{text: ["is empty"], voice_id: "unknown"}`. */
function listEntries(list: unknown): unknown {
	if (!isObject(list)) return list;
	if (sentenceNames.some((name) => name in list)) return [list];
	return Object.entries(list).map(([field, message]) => ({ field, message }));
}

/** The sentences of a list, each after the name of its field, if it has one. */
function readSentences(entries: unknown[], depth: number): string {
	const sentences = entries.map((entry) => {
		const sentence = readSentence(entry, depth);
		return sentence === '' ? '' : `${readFieldName(entry)}${sentence}`;
	});
	return joinTexts(sentences, '; ');
}

/** @param depth number of levels that are searched below this value */
function readSentence(value: unknown, depth: number): string {
	// Cut, because texts are searched in each other, which takes quadratic time for some.
	if (typeof value === 'string') return value.trim().slice(0, maxPageLength);
	if (typeof value === 'number') return String(value);
	if (depth === 0) return '';
	if (Array.isArray(value)) return readSentences(value, depth - 1);
	if (!isObject(value)) return '';
	const candidates = sentenceNames.map((name) => readSentence(value[name], depth - 1));
	const sentence = candidates.find((text) => text !== '') ?? '';
	// The title names the type of the problem, and the detail explains this occurrence (RFC 9457).
	const title = toStringOrEmpty(value.title).slice(0, maxPageLength);
	const lists = listNames.map((name) => readSentence(listEntries(value[name]), depth - 1));
	// Many servers repeat in the sentence what they list.
	const isNew = (text: string) => !sentence.includes(text);
	const newTitle = isNew(title) ? title : '';
	return joinTexts([newTitle, sentence, ...lists.filter(isNew)], ': ');
}

/** The content of the first element with this tag; empty if it has no end. */
function findContent(page: string, tag: string): string {
	const start = new RegExp(`<${tag}\\b[^<>]*>`, 'i').exec(page);
	if (start === null) return '';
	const content = page.slice(start.index + start[0].length);
	const length = content.search(new RegExp(`</${tag}\\s*>`, 'i'));
	return content.slice(0, Math.max(0, length));
}

/**
 * The heading or title of an HTML or XML page, else all of its visible text. No pattern searches the rest of the page from
 * each of many tags.
 */
function readPageSentence(page: string): string {
	// What has no end hides the rest of the page, as in a browser.
	const visible = page
		.slice(0, maxPageLength)
		.replace(/<!--[^]*?(-->|$)|<(script|style)\b[^]*?(<\/\2\s*>|$)/gi, ' ');
	const headings = ['message', 'h1', 'title'].map((tag) => findContent(visible, tag));
	const texts = [...headings, visible].map((text) => text.replace(/<[^<>]*>/g, ' ').trim());
	return texts.find((text) => text !== '') ?? '';
}

/** Whether a text is an HTML or XML page. */
export function isPage(text: string): boolean {
	return /^\s*</.test(text);
}

/** Whether a text is an HTML page, and not XML of another kind. */
export function isWebPage(text: string, contentType: string): boolean {
	if (!isPage(text)) return false;
	if (/html/i.test(contentType)) return true;
	// Other kinds of XML have elements of the same names inside.
	const start = text.slice(0, maxPageLength).replace(/<!--[^]*?(-->|$)/g, '');
	return /^\s*(<\?[^>]*>\s*)*<(!doctype\s+html|html|head|body|title|script|meta)(?![\w-])/i.test(
		start,
	);
}

/** The first characters of a text, on one line; of a page, what a reader sees first. */
export function quoteStartOfText(text: string): string {
	const start = text.slice(0, maxPageLength);
	return toOneLine(isPage(start) ? readPageSentence(start) : start, maxQuoteLength);
}

/** The first characters of a file, as {@link quoteStartOfText}. */
export function quoteVisibleStart(bytes: Uint8Array): string {
	return quoteStartOfText(decodeText(bytes, ''));
}

/**
 * Reads the service's own words in the first part of an error response. It may have any form, because the service documents
 * none.
 *
 * @returns one line; may be empty
 */
export function readServiceSentence(body: string): string {
	let value: unknown;
	try {
		value = JSON.parse(body);
	} catch {
		return toOneLine(isPage(body) ? readPageSentence(body) : body, maxSentenceLength);
	}
	const sentence = readSentence(value, maxSentenceDepth);
	if (sentence !== '') return toOneLine(sentence, maxSentenceLength);
	const hasContent = typeof value === 'object' && value !== null && /[\p{L}\p{N}]/u.test(body);
	// JSON of an unknown form is quoted as it is.
	return hasContent ? toOneLine(body, maxSentenceLength) : '';
}

/** A number of seconds in words, for messages. */
export function formatSeconds(seconds: number): string {
	return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** Joins the parts of a message. Empty parts leave no separator. */
export function joinTexts(texts: string[], separator = ' '): string {
	return texts.filter((text) => text !== '').join(separator);
}
