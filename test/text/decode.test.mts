import { decodeText, isText } from '../../nodes/VoiceSpeech/text/decode.ts';

it.each<{ what: string; bytes: Buffer; contentType: string; text: string }>([
	{
		what: 'a charset behind white space',
		bytes: Buffer.from('é', 'utf16le'),
		contentType: 'charset = utf-16le',
		text: 'é',
	},
	{
		what: 'characters of windows-1252 that Latin-1 lacks',
		bytes: Buffer.from([0x93, 0xe9, 0x94, 0x80]),
		contentType: '',
		text: '“é”€',
	},
	{
		what: 'control characters of UTF-8',
		bytes: Buffer.from('a\u0085b'),
		contentType: '',
		text: 'a\u0085b',
	},
	{
		what: 'a byte order mark of UTF-16, big-endian',
		bytes: Buffer.from('\ufeffé', 'utf16le').swap16(),
		contentType: 'charset=utf-16',
		text: 'é',
	},
	{
		what: 'invalid UTF-16',
		bytes: Buffer.from([0x00, 0xdc, 0x61]),
		contentType: 'charset=utf-16le',
		text: '\ufffd',
	},
])('decodes text with $what', ({ bytes, contentType, text }) => {
	expect(decodeText(bytes, contentType)).toBe(text);
});

describe('the start of a response', () => {
	it('is text if it ends inside a character', () => {
		expect(isText(Buffer.from('né').subarray(0, 2), '')).toBe(true);
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
