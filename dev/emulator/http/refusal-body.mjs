import { STATUS_CODES } from 'node:http';

const JSON_TYPE = 'application/json; charset=utf-8';

/** @typedef {{contentType?: string, body?: string}} WrittenBody */

/**
 * Writes each error shape, as HTTP services commonly send them.
 * @type {Record<import('../settings.mjs').Settings['errorShape'],
 *   (refusal: import('./refusal.mjs').Refusal, status: number) => WrittenBody>}
 */
const WRITERS = {
	nested: ({ message, code }) => json({ error: { message, code } }),
	message: ({ message }) => json({ message }),
	detail: ({ message }) => json({ detail: message }),
	detailList: ({ message, code, field }) =>
		json({ detail: [{ loc: ['body', ...(field ? [field] : [])], msg: message, type: code }] }),
	errors: ({ message, field }) => json({ errors: { [field ?? 'request']: [message] } }),
	problem: ({ message, code }, status) => ({
		contentType: 'application/problem+json',
		// RFC 9457, 4.2.1: with this type, the problem means no more than its status code.
		body: JSON.stringify({
			type: 'about:blank',
			title: STATUS_CODES[status] ?? 'Error',
			status,
			detail: message,
			code,
		}),
	}),
	text: ({ message }) => ({ contentType: 'text/plain; charset=utf-8', body: message }),
	html({ message }, status) {
		const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`;
		return {
			contentType: 'text/html; charset=utf-8',
			body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1><p>${escapeHtml(message)}</p></body></html>`,
		};
	},
	empty: () => ({}),
};

/**
 * @param {import('./refusal.mjs').Refusal} refusal
 * @param {import('../settings.mjs').Settings} settings
 * @returns {{status: number, headers: Record<string, string>, body: string | undefined}}
 */
export function writeRefusal(refusal, settings) {
	const status = refusal.status(settings);
	const { contentType, body } = WRITERS[settings.errorShape](refusal, status);
	/** @type {Record<string, string>} */
	const headers = contentType ? { 'content-type': contentType } : {};
	// RFC 9110, 15.5.6: a 405 response must list the allowed methods.
	if (refusal.reason === 'methodNotAllowed') headers.allow = 'POST';
	if (refusal.reason === 'rateLimited' && settings.retryAfter !== 'none') {
		const seconds = settings.retryAfterSeconds;
		headers['retry-after'] =
			settings.retryAfter === 'seconds'
				? String(seconds)
				: // An HTTP date has whole seconds: rounded down it would be too early.
					new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
	}
	return { status, headers, body };
}

/** @param {object} value @returns {WrittenBody} */
function json(value) {
	return { contentType: JSON_TYPE, body: JSON.stringify(value) };
}

/** @param {string} text */
function escapeHtml(text) {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
