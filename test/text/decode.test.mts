import { decodeText, isText } from '../../nodes/VoiceSpeech/text/decode.ts';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

it.each<[what: string, bytes: Buffer, contentType: string, text: string]>([
	['a charset behind white space', utf16('é'), 'charset = utf-16le', 'é'],
	['UTF-8, declared as Latin-1', Buffer.from('“é”'), 'charset=iso-8859-1', '“é”'],
	['characters of windows-1252', Buffer.from([0x93, 0xe9, 0x94, 0x80]), '', '“é”€'],
	['control characters of UTF-8', Buffer.from('a\u0085b'), '', 'a\u0085b'],
	['a byte order mark of UTF-16', utf16('\ufeffé'), 'charset=utf-16', 'é'],
	['one that is big-endian', utf16('\ufeffé').swap16(), 'charset=utf-16', 'é'],
	['an unknown charset', Buffer.from([0xe9, 0x61]), 'charset=unknown', 'éa'],
	['the beginning of a byte order mark', Buffer.from([0xff, 0x61]), '', 'ÿa'],
	['invalid UTF-16', Buffer.from([0x00, 0xdc, 0x61]), 'charset=utf-16le', '\ufffd'],
])('decodes text with %s', (_, bytes, contentType, text) => {
	expect(decodeText(bytes, contentType)).toBe(text);
});

describe('the start of a response', () => {
	it('is text if it ends inside a character', () => {
		expect(isText(Buffer.from('né').subarray(0, 2), '')).toBe(true);
	});

	it.each(['\u001b', '\u007f'])('is text with the character %j', (character) => {
		expect(isText(Buffer.from(`a${character}`), '')).toBe(true);
	});

	const inUnknownCharset = Buffer.from('né'.repeat(3), 'latin1');

	it.each(['text/plain', 'application/json'])(
		'is text in an unknown charset if its type is "%s"',
		(contentType) => expect(isText(inUnknownCharset, contentType)).toBe(true),
	);

	it.each(['application/octet-stream', 'audio/wav; x=text/plain', 'x-text/plain', ''])(
		'is not text in an unknown charset if its type is "%s"',
		(contentType) => expect(isText(inUnknownCharset, contentType)).toBe(false),
	);
});
