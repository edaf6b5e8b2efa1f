import {
	formatReason,
	readServiceSentence,
	toOneLine,
} from '../../nodes/VoiceSpeech/errors/quote.ts';
import { maxSentenceLength } from '../../nodes/VoiceSpeech/limits.ts';

/** Ways to word a refusal. docs/openapi.yaml shows no error body, so the node must understand all of them. */
describe("the service's sentence", () => {
	const bodies: Array<{ body: unknown; says: string }> = [
		{ body: 'No', says: 'No' },
		{ body: ['No', '', { message: 'Never' }], says: 'No; Never' },
		{ body: [{ code: 'e1', message: 'No' }], says: 'No' },
		{ body: { message: ' No\n', statusCode: 1, success: false }, says: 'No' },
		{ body: { message: ' ', error: 'No' }, says: 'No' },
		{ body: { message: 7 }, says: '7' },
		{ body: { code: 17, msg: 'No' }, says: 'No' },
		{ body: { detail: 'No' }, says: 'No' },
		{ body: { detail: { status: 'bad', message: 'No' } }, says: 'No' },
		{ body: { detail: [{ loc: ['body', 'text'], msg: 'No' }] }, says: 'body.text: No' },
		{ body: { detail: [{ loc: ['body', 0, { toString: 1 }], msg: 'No' }] }, says: 'body.0: No' },
		{ body: { detail: [{ loc: [[['body']]], msg: 'No' }] }, says: 'No' },
		{ body: { error: 'invalid_request', error_description: 'No' }, says: 'No' },
		{ body: { error_message: 'No' }, says: 'No' },
		{ body: { errorMessage: 'No' }, says: 'No' },
		{ body: { description: 'No' }, says: 'No' },
		{ body: { reason: 'No' }, says: 'No' },
		{ body: { fault: { faultstring: 'No' } }, says: 'No' },
		{ body: { error: { message: 'No', type: 'invalid_request', code: 'x' } }, says: 'No' },
		{ body: { error: { error: { error: { message: 'No' } } } }, says: 'No' },
		{ body: { errors: { message: 'No', field: 'a' } }, says: 'a: No' },
		{ body: { errors: { a: '', b: ['No', 'Never'] } }, says: 'b: No; Never' },
		{ body: { errors: { a: 'No', b: 'Never' } }, says: 'a: No; b: Never' },
		{ body: { errors: [{ field: '', message: 'No' }] }, says: 'No' },
		{ body: { errors: [{ param: 'a', msg: 'No' }] }, says: 'a: No' },
		{ body: { details: { reason: 'No' } }, says: 'No' },
		{ body: { violations: [{ field: 'a', message: 'No' }] }, says: 'a: No' },
		{ body: { issues: [{ path: ['a', 0], message: 'No' }] }, says: 'a.0: No' },
		{ body: { invalid_params: [{ name: 'a', reason: 'No' }] }, says: 'a: No' },
		{ body: { message: 'Invalid', errors: { a: ['No'] } }, says: 'Invalid: a: No' },
		{
			body: { message: 'Invalid', errors: [{ field: 'a', message: 'No' }] },
			says: 'Invalid: a: No',
		},
		{ body: { message: 'Invalid: a: No', errors: { a: ['No'] } }, says: 'Invalid: a: No' },
		{ body: { title: 'No' }, says: 'No' },
		{ body: { title: 'No', detail: 'No way' }, says: 'No way' },
		// RFC 9457
		{ body: { type: 'a', title: 'Refused', status: 400, detail: 'No' }, says: 'Refused: No' },
		{
			body: { title: 'Refused', errors: [{ detail: 'No', pointer: '#/a' }] },
			says: 'Refused: #/a: No',
		},
		// JSON of an unknown form is shown as it is.
		{ body: { code: 17 }, says: '{"code":17}' },
	];
	const rows = bodies.map(({ body, says }) => ({ json: JSON.stringify(body), says }));

	it.each(rows)('is found in $json', ({ json, says }) => {
		expect(readServiceSentence(json)).toBe(says);
	});

	it.each([
		'{"error":{"error":{"error":{"error":{"error":{"error":{"error":"x"}}}}}}}',
		'[[[[[[["x"]]]]]]]',
		'{"errors":[]}',
		'[{"error":[{"error":[{"error":[{"error":"x"}]}]}]}]',
	])('is the JSON itself where it has none: %s', (deep) => {
		expect(readServiceSentence(deep)).toBe(deep);
	});

	it.each([
		'',
		' \n',
		'{}',
		'[ ]',
		'null',
		'true',
		'false',
		'""',
		'[[]]',
		'{"":""}',
		'<html></html>',
	])('is not found where nothing is said: %j', (body) => {
		expect(readServiceSentence(body)).toBe('');
	});

	it.each<{ what: string; body: string; says: string }>([
		{ what: 'text', body: '\n No credits\r\n', says: 'No credits' },
		{
			what: 'text with a tag',
			body: 'Expected <file>, got none',
			says: 'Expected <file>, got none',
		},
		{
			what: 'XML',
			body: '<?xml version="1.0"?><e><code>7</code><message>No</message></e>',
			says: 'No',
		},
		{ what: 'a heading, not the title', body: '<title>Oops</title><H1>No</H1 >', says: 'No' },
		{ what: 'a title', body: '\n <title>\nNo</title><p>Sorry', says: 'No' },
		{
			what: 'a heading with tags',
			body: '<h1 class="x">No <b>credits</b><br>left</h1>',
			says: 'No credits left',
		},
		{ what: 'an empty heading', body: '<h1> </h1><title>No</title>', says: 'No' },
		{ what: 'a comment', body: '<!-- <h1>x</h1> --><title>No</title>', says: 'No' },
		{
			what: 'scripts and styles',
			body: '<script>var a="<h1>x</h1>"</script><style>b{}</style><p>No',
			says: 'No',
		},
		{
			what: 'a script between words',
			body: '<div>No<script>x</script>credits</div>',
			says: 'No credits',
		},
		{ what: 'words only', body: '<div>No</div><div>credits</div>', says: 'No credits' },
	])('is found in $what', ({ body, says }) => {
		expect(readServiceSentence(body)).toBe(says);
	});

	it('is looked for only in the beginning of long HTML, which would take hours otherwise', () => {
		expect(readServiceSentence(`<h1>No</h1>${'<script'.repeat(2_000_000)}`)).toBe('No');
		expect(readServiceSentence(`<h1>No</h1>${'<!--'.repeat(2_000_000)}`)).toBe('No');
	});

	it('is shown in one line, and cut where it is long', () => {
		expect(readServiceSentence('a\r\n\tb\u0000\u001b[31mc\u202ed\u2028e\ufeff')).toBe(
			'a b [31mc d e',
		);
		const longest = 'x'.repeat(maxSentenceLength);
		expect(readServiceSentence(longest)).toBe(longest);
		expect(readServiceSentence(`${longest}x`)).toBe(`${longest}…`);
		expect(toOneLine('👋👋👋', 2)).toBe('👋👋…');
	});
});

describe('the reason of an error', () => {
	it.each([
		{ code: 'EIO', message: 'read failed', reason: 'EIO: read failed' },
		{ code: 'EIO', message: 'EIO: i/o error, read', reason: 'EIO: i/o error, read' },
		{
			code: 'EACCES',
			message: "EACCES: permission denied, open '/home/node/.n8n/storage/1'",
			reason: 'EACCES: permission denied',
		},
		{ code: undefined, message: 'read failed', reason: 'read failed' },
		{ code: 'EIO', message: '', reason: 'EIO' },
		{ code: undefined, message: '', reason: 'no reason was given' },
	])('is "$reason" for the code $code and the message "$message"', ({ code, message, reason }) => {
		expect(formatReason({ code, message })).toBe(reason);
	});
});
