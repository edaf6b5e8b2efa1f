import { decodeText, isText } from '../../nodes/VoiceSpeech/text/decode';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('text is read', () => {
	it.each<[string, Buffer, contentType: string, string]>([
		[
			'by a charset with white space around',
			Buffer.from('é', 'utf16le'),
			'charset = utf-16le',
			'é',
		],
		['as windows-1252 where its charset is unknown', latin1('né!'), 'charset=klingon', 'né!'],
		['with the control characters of UTF-8', Buffer.from('a\u0085b'), '', 'a\u0085b'],
		[
			'as far as it can be in UTF-16',
			Buffer.from([0x00, 0xdc, 0x61]),
			'charset=utf-16le',
			'\ufffd\ufffd',
		],
	])('%s', (_what, bytes, contentType, text) => {
		expect(decodeText(bytes, contentType)).toBe(text);
	});
});

describe('the beginning of an answer is text', () => {
	it('where it ends inside of a character', () => {
		expect(isText(Buffer.from('né').subarray(0, 2), '')).toBe(true);
	});

	it.each<[string, boolean]>([
		['text/plain', true],
		['application/json', true],
		['application/problem+json', true],
		['application/octet-stream', false],
		['audio/wav; x=text/plain', false],
		['x-text/plain', false],
		['', false],
	])('in no charset, announced as %j: %s', (contentType, expected) => {
		expect(isText(latin1('né'.repeat(3)), contentType)).toBe(expected);
	});
});
