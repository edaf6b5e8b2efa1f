import { oneLine } from '../../nodes/VoiceSpeech/errors/quote';
import { serviceSentence } from '../../nodes/VoiceSpeech/errors/serviceSentence';
import { refusals, sentence } from '../support/refusals';

describe("the service's sentence", () => {
	it.each(refusals)('in $shape', ({ body, says }) => {
		expect(serviceSentence(String(body))).toBe(says);
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

	it('in HTML of which only the beginning counts, in no time', () => {
		const begun = Date.now();
		expect(serviceSentence(`<h1>No</h1>${'<script'.repeat(20_000)}`)).toBe('No');
		expect(serviceSentence('<!--'.repeat(20_000)).length).toBeLessThan(502);
		expect(Date.now() - begun).toBeLessThan(2000);
	});

	it('is one line, and cut where it is long', () => {
		expect(serviceSentence('a\r\n\tb\u0000\u001b[31mc\u202ed\u2028e\ufeff')).toBe('a b [31mc d e');
		expect(serviceSentence('x'.repeat(500))).toBe('x'.repeat(500));
		expect(serviceSentence('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
		expect(oneLine('👋👋👋', 2)).toBe('👋👋…');
		expect(serviceSentence(JSON.stringify({ message: ` ${sentence}\n` }))).toBe(sentence);
	});
});
