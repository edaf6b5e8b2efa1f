import { oneLine } from '../../nodes/VoiceSpeech/errors/quote';
import { serviceSentence } from '../../nodes/VoiceSpeech/errors/serviceSentence';

/** How services word a refusal: docs/openapi.yaml shows no error body, so all must be understood. */
describe("the service's sentence", () => {
	it.each<[body: unknown, says: string]>([
		['No', 'No'],
		[['No', '', { message: 'Never' }], 'No; Never'],
		[[{ code: 'e1', message: 'No' }], 'No'],
		[{ message: ' No\n', statusCode: 1, success: false }, 'No'],
		[{ message: ' ', error: 'No' }, 'No'],
		[{ message: 7 }, '7'],
		[{ code: 17, msg: 'No' }, 'No'],
		[{ detail: 'No' }, 'No'],
		[{ detail: { status: 'bad', message: 'No' } }, 'No'],
		[{ detail: [{ loc: ['body', 'text'], msg: 'No' }] }, 'body.text: No'],
		[{ error: 'invalid_request', error_description: 'No' }, 'No'],
		[{ error_message: 'No' }, 'No'],
		[{ errorMessage: 'No' }, 'No'],
		[{ description: 'No' }, 'No'],
		[{ reason: 'No' }, 'No'],
		[{ fault: { faultstring: 'No' } }, 'No'],
		[{ error: { message: 'No', type: 'invalid_request', code: 'x' } }, 'No'],
		[{ error: { error: { error: { message: 'No' } } } }, 'No'],
		[{ errors: { message: 'No', field: 'a' } }, 'a: No'],
		[{ errors: { a: '', b: ['No', 'Never'] } }, 'b: No; Never'],
		[{ errors: { a: 'No', b: 'Never' } }, 'a: No; b: Never'],
		[{ errors: [{ field: '', message: 'No' }] }, 'No'],
		[{ errors: [{ param: 'a', msg: 'No' }] }, 'a: No'],
		[{ details: { reason: 'No' } }, 'No'],
		[{ violations: [{ field: 'a', message: 'No' }] }, 'a: No'],
		[{ issues: [{ path: ['a', 0], message: 'No' }] }, 'a.0: No'],
		[{ invalid_params: [{ name: 'a', reason: 'No' }] }, 'a: No'],
		[{ message: 'Invalid', errors: { a: ['No'] } }, 'Invalid: a: No'],
		[{ message: 'Invalid', errors: [{ field: 'a', message: 'No' }] }, 'Invalid: a: No'],
		[{ message: 'Invalid: a: No', errors: { a: ['No'] } }, 'Invalid: a: No'],
		[{ title: 'No' }, 'No'],
		[{ title: 'No', detail: 'No way' }, 'No way'],
		// RFC 9457
		[{ type: 'a', title: 'Refused', status: 400, detail: 'No' }, 'Refused: No'],
		[{ title: 'Refused', errors: [{ detail: 'No', pointer: '#/a' }] }, 'Refused: #/a: No'],
		// JSON of an unknown form, as it is
		[{ code: 17 }, '{"code":17}'],
	])('in %j', (body, says) => {
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

	it.each<[string, body: string, says: string]>([
		['text', '\n No credits\r\n', 'No credits'],
		['text with a tag', 'Expected <file>, got none', 'Expected <file>, got none'],
		['XML', '<?xml version="1.0"?><e><code>7</code><message>No</message></e>', 'No'],
		['a heading, not the title', '<title>Oops</title><H1>No</H1 >', 'No'],
		['a title', '\n <title>\nNo</title><p>Sorry', 'No'],
		['a heading with tags', '<h1 class="x">No <b>credits</b><br>left</h1>', 'No credits left'],
		['an empty heading', '<h1> </h1><title>No</title>', 'No'],
		['a comment', '<!-- <h1>x</h1> --><title>No</title>', 'No'],
		['scripts and styles', '<script>var a="<h1>x</h1>"</script><style>b{}</style><p>No', 'No'],
		['a script between words', '<div>No<script>x</script>credits</div>', 'No credits'],
		['words only', '<div>No</div><div>credits</div>', 'No credits'],
	])('in %s', (_what, body, says) => {
		expect(serviceSentence(body)).toBe(says);
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
