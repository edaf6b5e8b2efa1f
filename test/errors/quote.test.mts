import {
	formatReason,
	readServiceSentence,
	toOneLine,
} from '../../nodes/VoiceSpeech/errors/quote.ts';
import { maxSentenceLength } from '../../nodes/VoiceSpeech/limits.ts';

/** Ways to word a refusal. docs/openapi.yaml shows no error body, so the node must understand all of them. */
describe("the service's sentence", () => {
	it.each<[body: unknown, says: string]>([
		['No', 'No'],
		[['No', '', { message: 'Never' }], 'No; Never'],
		[{ message: ' No\n', statusCode: 1, success: false }, 'No'],
		[{ message: ' ', error: 'No' }, 'No'],
		[{ message: 7 }, '7'],
		[{ code: 17, msg: 'No' }, 'No'],
		[{ detail: { status: 'bad', message: 'No' } }, 'No'],
		[{ detail: [{ loc: ['body', 0, { toString: 1 }], msg: 'No' }] }, 'body.0: No'],
		[{ detail: [{ loc: [[['body']]], msg: 'No' }] }, 'No'],
		[{ error: 'invalid_request', error_description: 'No' }, 'No'],
		[{ reason: 'No' }, 'No'],
		[{ fault: { faultstring: 'No' } }, 'No'],
		[{ error: { error: { error: { message: 'No' } } } }, 'No'],
		[{ errors: { message: 'No', field: 'a' } }, 'a: No'],
		[{ errors: { a: '', b: ['No', 'Never'] } }, 'b: No; Never'],
		[{ errors: [{ field: '', message: 'No' }] }, 'No'],
		[{ errors: [{ param: 'a', msg: 'No' }] }, 'a: No'],
		[{ details: { reason: 'No' } }, 'No'],
		[{ issues: [{ path: ['a', 0], message: 'No' }] }, 'a.0: No'],
		[{ invalid_params: [{ name: 'a', reason: 'No' }] }, 'a: No'],
		[{ message: 'Invalid', errors: { a: ['No'] } }, 'Invalid: a: No'],
		[{ message: 'Invalid: a: No', errors: { a: ['No'] } }, 'Invalid: a: No'],
		[{ title: 'No' }, 'No'],
		[{ title: 'No', detail: 'No way' }, 'No way'],
		// RFC 9457
		[{ type: 'a', title: 'Refused', status: 400, detail: 'No' }, 'Refused: No'],
		[{ title: 'Refused', errors: [{ detail: 'No', pointer: '#/a' }] }, 'Refused: #/a: No'],
		// JSON of an unknown form is shown as it is.
		[{ code: 17 }, '{"code":17}'],
	])('is found in %j: "%s"', (body, says) => {
		expect(readServiceSentence(JSON.stringify(body))).toBe(says);
	});

	it.each([
		'{"error":{"error":{"error":{"error":{"error":{"error":{"error":"x"}}}}}}}',
		'[[[[[[["x"]]]]]]]',
		'{"errors":[]}',
		'[{"error":[{"error":[{"error":[{"error":"x"}]}]}]}]',
	])('is the JSON itself where it has none: %s', (deep) => {
		expect(readServiceSentence(deep)).toBe(deep);
	});

	it.each(['', ' \n', '{}', 'null', 'true', '""', '[[]]', '{"":""}', '<html></html>'])(
		'is not found where nothing is said: %j',
		(body) => expect(readServiceSentence(body)).toBe(''),
	);

	it.each<[what: string, body: string, says: string]>([
		['text', '\n No credits\r\n', 'No credits'],
		['text with a tag', 'Expected <file>, got none', 'Expected <file>, got none'],
		['XML', '<?xml version="1.0"?><e><code>7</code><message>No</message></e>', 'No'],
		['a heading, not the title', '<title>Oops</title><H1>No</H1 >', 'No'],
		['a title', '\n <title>\nNo</title><p>Sorry', 'No'],
		['a heading with tags', '<h1 class="x">No <b>credits</b><br>left</h1>', 'No credits left'],
		['an empty heading', '<h1> </h1><title>No</title>', 'No'],
		['a comment', '<!-- <h1>x</h1> --><title>No</title>', 'No'],
		['scripts', '<script>var a="<h1>x</h1>"</script><style>b{}</style><p>No', 'No'],
		['a script between words', '<div>No<script>x</script>credits</div>', 'No credits'],
		['words only', '<div>No</div><div>credits</div>', 'No credits'],
	])('is found in %s', (_, body, says) => {
		expect(readServiceSentence(body)).toBe(says);
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
		['EIO', 'read failed', 'EIO: read failed'],
		['EIO', 'EIO: i/o error, read', 'EIO: i/o error, read'],
		['EACCES', "EACCES: denied, open '/home/node/.n8n/1'", 'EACCES: denied'],
		['EIO', '', 'EIO'],
		[undefined, '', 'no reason was given'],
	])('of the code %s and the message "%s" is "%s"', (code, message, reason) => {
		expect(formatReason({ code, message })).toBe(reason);
	});
});
