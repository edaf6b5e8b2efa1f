import { decodeText, isText } from '../../nodes/VoiceSpeech/text/decode';

it.each<{ what: string; bytes: Buffer; contentType: string; text: string }>([
	{
		what: 'a charset behind white space',
		bytes: Buffer.from('é', 'utf16le'),
		contentType: 'charset = utf-16le',
		text: 'é',
	},
	{
		what: 'control characters of UTF-8',
		bytes: Buffer.from('a\u0085b'),
		contentType: '',
		text: 'a\u0085b',
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

describe('the start of a response is text', () => {
	it('takes the start of a response for text if it ends inside a character', () => {
		expect(isText(Buffer.from('né').subarray(0, 2), '')).toBe(true);
	});

	it.each<{ contentType: string; expected: boolean }>([
		{ contentType: 'text/plain', expected: true },
		{ contentType: 'application/json', expected: true },
		{ contentType: 'application/octet-stream', expected: false },
		{ contentType: 'audio/wav; x=text/plain', expected: false },
		{ contentType: 'x-text/plain', expected: false },
		{ contentType: '', expected: false },
	])(
		'takes a start in an unknown charset, declared as "$contentType", for text: $expected',
		({ contentType, expected }) => {
			expect(isText(Buffer.from('né'.repeat(3), 'latin1'), contentType)).toBe(expected);
		},
	);
});
