import { createKeyMasker } from '../../credentials/checkedCredential.ts';
import { readJson } from '../../nodes/VoiceSpeech/response/readJson.ts';
import { expectNoKey, secretKey } from '../support/secret.mts';

const maskKey = createKeyMasker(secretKey, 'sandbox');

/** Each text is a row of its own, because in a joint text, another number could be the reason why it is checked. */
it.each<{ text: string; value: unknown }>([
	{ text: '{"a":1e400}', value: { a: '1e400' } },
	{ text: '{"a":1.25e999,"b":1.25}', value: { a: '1.25e999', b: 1.25 } },
	{ text: '{"a":1E400}', value: { a: '1E400' } },
	{ text: '{"a":-1e+400}', value: { a: '-1e+400' } },
	{ text: '{"a":9007199254740993}', value: { a: '9007199254740993' } },
	{ text: '{"a":-9007199254740993}', value: { a: '-9007199254740993' } },
	{ text: '{"a":12345678901234567890.5}', value: { a: '12345678901234567890.5' } },
	{ text: '{"a":9007199254740992}', value: { a: 9007199254740992 } },
	{ text: '{"a":1e21,"b":1.2345678901234567}', value: { a: 1e21, b: 1.2345678901234567 } },
	{ text: '{"a":-0,"b":9007199254740993}', value: { a: -0, b: '9007199254740993' } },
	{ text: '{"a":0,"b":9007199254740993}', value: { a: 0, b: '9007199254740993' } },
	// JavaScript rounds fractions.
	{ text: '{"a":0.98765432109876543210}', value: { a: 0.9876543210987654 } },
	{ text: '{"a":1e-400}', value: { a: 0 } },
])('reads $text without losing a digit of an integer', ({ text, value }) => {
	expect(readJson(text, maskKey)).toEqual(value);
});

it.each<[text: string, value: unknown]>([
	['{"a":NaN}', { a: null }],
	['{"a":Infinity,"b":-Infinity}', { a: null, b: null }],
	['[NaN, -NaN, 1]', { data: [null, null, 1] }],
	['{"a":nan,"b":-inf}', { a: null, b: null }],
	['{"a":[[NaN]],"id":9007199254740993}', { a: [[null]], id: '9007199254740993' }],
	[String.raw`{"NaN":"NaN, \"Infinity","a":NaN}`, { NaN: 'NaN, "Infinity', a: null }],
	['{"a":"-Infinity"}', { a: '-Infinity' }],
])('reads %s, whose numbers are not finite, as null', (text, value) => {
	expect(readJson(text, maskKey)).toEqual(value);
});

it.each([
	'{"a":NaNs}',
	'{"a":notNaN}',
	'{"a":1Infinity}',
	'{NaN:1}',
	'{"a":"NaN',
	'{"a":NaN}\n{"a":1}',
	'NaN',
	'Infinity',
	'[0123]',
	"{'a':NaN}",
])('does not read %s, which is not JSON', (text) => {
	expect(readJson(text, maskKey)).toBeUndefined();
});

it('reads a text of many megabytes without exceeding the stack', () => {
	const audio = 'ab\\n'.repeat(4_000_000);
	const json = readJson(`{"audio":"${audio}","id":12345678901234567890}`, maskKey);
	expect(json?.id).toBe('12345678901234567890');
	expect(String(json?.audio)).toHaveLength(12_000_000);
});

it('masks the key in names and texts, and keeps what only resembles JSON in a text', () => {
	const [, , secret = ''] = secretKey.split('_');
	const text = String.raw`{"${secretKey}":["a\"${secret}","12345678901234567890",{"b":"c\n"}]}`;
	const value = readJson(text, maskKey);
	expect(value).toEqual({
		'eak_test_***': ['a"eak_test_***', '12345678901234567890', { b: 'c\n' }],
	});
	expectNoKey(value);
});
