/** How services word a refusal: the interface document shows no error body, so all must be understood. */

/** The sentence that every body below carries. */
export const sentence = 'Credits are “short” on Tüesday';

export interface Refusal {
	shape: string;
	body: Buffer | string;
	headers: Record<string, string>;
	/** What must arrive of it; the sentence where nothing else is told. */
	says: string;
}

function asJson(shape: string, body: unknown, says = sentence, type = 'application/json'): Refusal {
	return { shape, body: JSON.stringify(body), headers: { 'Content-Type': type }, says };
}

function asBytes(
	shape: string,
	body: Buffer | string,
	type: string | undefined,
	says = sentence,
	more: Record<string, string> = {},
): Refusal {
	const headers = { ...(type === undefined ? {} : { 'Content-Type': type }), ...more };
	return { shape, body, headers, says };
}

const field = `text: ${sentence}`;

export const refusals: Refusal[] = [
	asJson('{error: {message}}', {
		error: { message: sentence, type: 'invalid_request_error', code: 'x' },
	}),
	asJson('{error}', { error: sentence }),
	asJson('{error, error_description}', { error: 'invalid_request', error_description: sentence }),
	asJson('{message}', { message: sentence, statusCode: 1, success: false }),
	asJson('{msg}', { code: 17, msg: sentence }),
	asJson('{detail}', { detail: sentence }),
	asJson(
		'{detail: [{loc, msg}]}',
		{ detail: [{ loc: ['body', 'text'], msg: sentence, type: 'value_error' }] },
		`body.${field}`,
	),
	asJson('{detail: {message}}', { detail: { status: 'bad', message: sentence } }),
	asJson('{errors: {field: [...]}}', { errors: { text: [sentence] } }, field),
	asJson('{errors: {field: text}}', { errors: { text: sentence } }, field),
	asJson(
		'{message, errors}',
		{ message: 'Invalid', errors: { text: [sentence] } },
		`Invalid: ${field}`,
	),
	asJson(
		'{message, errors: [{field, message}]}',
		{ message: 'Invalid', errors: [{ field: 'text', message: sentence }] },
		`Invalid: ${field}`,
	),
	asJson(
		'{message} that repeats its list',
		{ message: `Invalid: ${field}`, errors: { text: [sentence] } },
		`Invalid: ${field}`,
	),
	asJson('{errors: [text, text]}', { errors: ['One', sentence] }, `One; ${sentence}`),
	asJson(
		'problem details (RFC 9457)',
		{ type: 'https://example.com/p', title: 'Refused', status: 400, detail: sentence },
		`Refused: ${sentence}`,
		'application/problem+json',
	),
	asJson(
		'problem details with a list',
		{ title: 'Refused', errors: [{ detail: sentence, pointer: '#/text' }] },
		`Refused: #/${field}`,
		'application/problem+json',
	),
	asJson('a bare text', sentence),
	asJson('a list of objects', [{ code: 'e1', message: sentence }]),
	asJson(
		'a shape that nobody knows',
		{ outcome: { phrase: sentence } },
		`{"outcome":{"phrase":"${sentence}"}}`,
	),
	asBytes('JSON announced as nothing', JSON.stringify({ message: sentence }), undefined),
	asBytes('JSON announced as HTML', JSON.stringify({ message: sentence }), 'text/html'),
	asBytes('plain text', `\n ${sentence}\r\n`, 'text/plain'),
	asBytes(
		'HTML with a heading',
		`<html><head><title>402</title><style>h1 {}</style></head><body><h1>${sentence}</h1>nginx</body></html>`,
		'text/html; charset=utf-8',
	),
	asBytes('HTML with a title only', `<!-- x --><title>\n${sentence}</title><p>Sorry`, 'text/html'),
	asBytes(
		'XML',
		`<?xml version="1.0"?><e><code>7</code><message>${sentence}</message></e>`,
		'text/xml',
	),
];
