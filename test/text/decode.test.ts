import { decodeText, isText } from '../../nodes/VoiceSpeech/text/decode';

it.each<[string, Buffer, contentType: string, string]>([
	['a charset behind white space', Buffer.from('é', 'utf16le'), 'charset = utf-16le', 'é'],
	['control characters of UTF-8', Buffer.from('a\u0085b'), '', 'a\u0085b'],
	['invalid UTF-16', Buffer.from([0x00, 0xdc, 0x61]), 'charset=utf-16le', '\ufffd'],
])('text is decoded with %s', (_what, bytes, contentType, text) => {
	expect(decodeText(bytes, contentType)).toBe(text);
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
		expect(isText(Buffer.from('né'.repeat(3), 'latin1'), contentType)).toBe(expected);
	});
});
