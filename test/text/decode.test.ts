import { decodeText, isText } from '../../nodes/VoiceSpeech/text/decode';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('text is decoded', () => {
	it.each<[string, Buffer, contentType: string, string]>([
		[
			'in a charset with white space around it',
			Buffer.from('é', 'utf16le'),
			'charset = utf-16le',
			'é',
		],
		['with the control characters of UTF-8', Buffer.from('a\u0085b'), '', 'a\u0085b'],
		[
			'with replacement characters where UTF-16 is invalid',
			Buffer.from([0x00, 0xdc, 0x61]),
			'charset=utf-16le',
			'\ufffd',
		],
	])('%s', (_what, bytes, contentType, text) => {
		expect(decodeText(bytes, contentType)).toBe(text);
	});
});

describe('the start of a response is text', () => {
	it('if it ends inside a character', () => {
		expect(isText(Buffer.from('né').subarray(0, 2), '')).toBe(true);
	});

	it.each<[string, boolean]>([
		['text/plain', true],
		['application/json', true],
		['application/octet-stream', false],
		['audio/wav; x=text/plain', false],
		['x-text/plain', false],
		['', false],
	])('in an unknown charset, declared as %j: %s', (contentType, expected) => {
		expect(isText(latin1('né'.repeat(3)), contentType)).toBe(expected);
	});
});
