import { oneLine } from '../../nodes/VoiceSpeech/errors/quote';
import { serviceSentence } from '../../nodes/VoiceSpeech/errors/serviceSentence';

/** The sentence that every body below carries. */
const sentence = 'Credits are “short” on Tüesday';
const named = { text: [sentence] };
const listed = [{ field: 'text', message: sentence }];
const field = `text: ${sentence}`;

/** How services word a refusal: the interface document shows no error body, so all must be understood. */
describe("the service's sentence", () => {
	it.each<[shape: string, body: unknown, says?: string]>([
		['{error: {message}}', { error: { message: sentence, type: 'invalid_request', code: 'x' } }],
		['{error}', { error: sentence }],
		['{error, error_description}', { error: 'invalid_request', error_description: sentence }],
		['{message}', { message: ` ${sentence}\n`, statusCode: 1, success: false }],
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
			{ message: 'Invalid', errors: listed },
			`Invalid: ${field}`,
		],
		['a repeated list', { message: `Invalid: ${field}`, errors: named }, `Invalid: ${field}`],
		['{errors: [text, text]}', { errors: ['One', sentence] }, `One; ${sentence}`],
		['RFC 9457', { type: 'a', title: 'No', status: 400, detail: sentence }, `No: ${sentence}`],
		[
			'problem details with a list',
			{ title: 'Refused', errors: [{ detail: sentence, pointer: '#/text' }] },
			`Refused: #/${field}`,
		],
		['a bare text', sentence],
		['a list of objects', [{ code: 'e1', message: sentence }]],
		['an unknown shape', { outcome: { phrase: sentence } }, `{"outcome":{"phrase":"${sentence}"}}`],
	])('in %s', (_shape, body, says = sentence) => {
		expect(serviceSentence(JSON.stringify(body))).toBe(says);
	});

	it.each([
		['plain text', `\n ${sentence}\r\n`],
		[
			'HTML with a heading',
			`<html><head><title>402</title><style>h1 {}</style></head><body><h1>${sentence}</h1>nginx`,
		],
		['HTML with a title', `<!-- x --><title>\n${sentence}</title><p>Sorry`],
		['XML', `<?xml version="1.0"?><e><code>7</code><message>${sentence}</message></e>`],
	])('in %s', (_shape, body) => {
		expect(serviceSentence(body)).toBe(sentence);
	});

	it.each<[string, unknown, string]>([
		['{error_message}', { error_message: 'No' }, 'No'],
		['{errorMessage}', { errorMessage: 'No' }, 'No'],
		['{description}', { description: 'No' }, 'No'],
		['{reason}', { reason: 'No' }, 'No'],
		['{fault: {faultstring}}', { fault: { faultstring: 'No' } }, 'No'],
		['{details: {reason}}', { details: { reason: 'No' } }, 'No'],
		['{violations: [{field, message}]}', { violations: [{ field: 'a', message: 'No' }] }, 'a: No'],
		['{issues: [{path, message}]}', { issues: [{ path: ['a', 0], message: 'No' }] }, 'a.0: No'],
		[
			'{invalid_params: [{name, reason}]}',
			{ invalid_params: [{ name: 'a', reason: 'No' }] },
			'a: No',
		],
		['{errors: [{param, msg}]}', { errors: [{ param: 'a', msg: 'No' }] }, 'a: No'],
		['{errors: {message}}', { errors: { message: 'No', field: 'a' } }, 'a: No'],
		['{errors: {a: "", b: [..]}}', { errors: { a: '', b: ['No', 'Never'] } }, 'b: No; Never'],
		['{errors: {a: .., b: ..}}', { errors: { a: 'No', b: 'Never' } }, 'a: No; b: Never'],
		['{errors: [{field: ""}]}', { errors: [{ field: '', message: 'No' }] }, 'No'],
		['{code} alone: as it is', { code: 17 }, '{"code":17}'],
		['{message: 7}', { message: 7 }, '7'],
		['an empty message beside another', { message: ' ', error: 'No' }, 'No'],
		['a title alone', { title: 'No' }, 'No'],
		['a title that the detail repeats', { title: 'No', detail: 'No way' }, 'No way'],
		['deep inside', { error: { error: { error: { message: 'No' } } } }, 'No'],
		['several texts', ['No', '', { message: 'Never' }], 'No; Never'],
	])('%s', (_shape, body, says) => {
		expect(serviceSentence(JSON.stringify(body))).toBe(says);
	});

	it.each([
		'{"error":{"error":{"error":{"error":{"error":{"error":{"error":"x"}}}}}}}',
		'[[[[[[["x"]]]]]]]',
		'{"errors":[]}',
		'[{"error":[{"error":[{"error":[{"error":"x"}]}]}]}]',
	])('too deep or empty, speaks for itself: %s', (deep) => {
		expect(serviceSentence(deep)).toBe(deep);
	});

	it.each([
		...['', ' \n', '{}', '[ ]', 'null', 'true', 'false', '""', '[[]]', '{"":""}', '<html></html>'],
	])('is empty where nothing is said: %j', (body) => {
		expect(serviceSentence(body)).toBe('');
	});

	it.each<[string, string, string]>([
		['tags inside', '<h1 class="x">No <b>credits</b><br>left</h1>', 'No credits left'],
		['scripts and styles', '<script>var a="<h1>x</h1>"</script><style>b{}</style><p>No', 'No'],
		['a script between words', '<div>No<script>x</script>credits</div>', 'No credits'],
		['a comment', '<!-- <h1>x</h1> --><title>No</title>', 'No'],
		['an empty heading', '<h1> </h1><title>No</title>', 'No'],
		['a heading before a title', '<title>Oops</title><H1>No</H1 >', 'No'],
		['words only', '<div>No</div><div>credits</div>', 'No credits'],
	])('in HTML: %s', (_what, html, says) => {
		expect(serviceSentence(`\n${html}`)).toBe(says);
	});

	it('in text that only holds a tag', () => {
		expect(serviceSentence('Expected <file>, got none')).toBe('Expected <file>, got none');
	});

	it('in long HTML: only its beginning is searched, which would take hours otherwise', () => {
		expect(serviceSentence(`<h1>No</h1>${'<script'.repeat(2_000_000)}`)).toBe('No');
		expect(serviceSentence('<!--'.repeat(2_000_000)).length).toBeLessThan(502);
	});

	it('is one line, and cut where it is long', () => {
		expect(serviceSentence('a\r\n\tb\u0000\u001b[31mc\u202ed\u2028e\ufeff')).toBe('a b [31mc d e');
		expect(serviceSentence('x'.repeat(500))).toBe('x'.repeat(500));
		expect(serviceSentence('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
		expect(oneLine('👋👋👋', 2)).toBe('👋👋…');
	});
});
