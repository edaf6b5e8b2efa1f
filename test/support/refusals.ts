/** How services word a refusal: the interface document shows no error body, so all must be understood. */

/** The sentence that every body below carries. */
export const sentence = 'Credits are “short” on Tüesday';

export interface Refusal {
	shape: string;
	body: string;
	headers: Record<string, string>;
	/** What must arrive of it. */
	says: string;
}

const field = `text: ${sentence}`;
const named = { text: [sentence] };
const problem = 'application/problem+json';

/** JSON, what must arrive of it if it is not the sentence alone, and its type. */
const inJson: Array<[shape: string, body: unknown, says?: string, type?: string | null]> = [
	['{error: {message}}', { error: { message: sentence, type: 'invalid_request', code: 'x' } }],
	['{error}', { error: sentence }],
	['{error, error_description}', { error: 'invalid_request', error_description: sentence }],
	['{message}', { message: sentence, statusCode: 1, success: false }],
	['{msg}', { code: 17, msg: sentence }],
	['{detail}', { detail: sentence }],
	[
		'{detail: [{loc, msg}]}',
		{ detail: [{ loc: ['body', 'text'], msg: sentence }] },
		`body.${field}`,
	],
	['{detail: {message}}', { detail: { status: 'bad', message: sentence } }],
	['{errors: {field: [...]}}', { errors: named }, field],
	['{errors: {field: text}}', { errors: { text: sentence } }, field],
	['{message, errors}', { message: 'Invalid', errors: named }, `Invalid: ${field}`],
	[
		'{message, errors: [{field, message}]}',
		{ message: 'Invalid', errors: [{ field: 'text', message: sentence }] },
		`Invalid: ${field}`,
	],
	['a repeated list', { message: `Invalid: ${field}`, errors: named }, `Invalid: ${field}`],
	['{errors: [text, text]}', { errors: ['One', sentence] }, `One; ${sentence}`],
	[
		'RFC 9457',
		{ type: 'a', title: 'No', status: 400, detail: sentence },
		`No: ${sentence}`,
		problem,
	],
	[
		'problem details with a list',
		{ title: 'Refused', errors: [{ detail: sentence, pointer: '#/text' }] },
		`Refused: #/${field}`,
		problem,
	],
	['a bare text', sentence],
	['a list of objects', [{ code: 'e1', message: sentence }]],
	['an unknown shape', { outcome: { phrase: sentence } }, `{"outcome":{"phrase":"${sentence}"}}`],
	['JSON announced as nothing', { message: sentence }, sentence, null],
	['JSON announced as HTML', { message: sentence }, sentence, 'text/html'],
];

const page = `<html><head><title>402</title><style>h1 {}</style></head><body><h1>${sentence}</h1>nginx`;
const xml = `<?xml version="1.0"?><e><code>7</code><message>${sentence}</message></e>`;

const inText: Array<[shape: string, body: string, type: string]> = [
	['plain text', `\n ${sentence}\r\n`, 'text/plain'],
	['HTML with a heading', `${page}</body></html>`, 'text/html; charset=utf-8'],
	['HTML with a title', `<!-- x --><title>\n${sentence}</title><p>Sorry`, 'text/html'],
	['XML', xml, 'text/xml'],
];

export const refusals: Refusal[] = [
	...inJson.map(([shape, body, says = sentence, type = 'application/json']) => ({
		...{ shape, body: JSON.stringify(body), says },
		headers: type === null ? {} : ({ 'Content-Type': type } as Record<string, string>),
	})),
	...inText.map(([shape, body, type]) => ({
		...{ shape, body, says: sentence },
		headers: { 'Content-Type': type },
	})),
];
