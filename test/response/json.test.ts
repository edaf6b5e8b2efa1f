import { readJson } from '../../nodes/VoiceSpeech/response/json';
import { expectNoKey, secretKey } from '../support/secret';

/** Each alone: what is beside it could be what makes it looked at. */
it.each<[string, unknown]>([
	['{"a":1e400}', { a: '1e400' }],
	['{"a":1.25e999,"b":1.25}', { a: '1.25e999', b: 1.25 }],
	['{"a":1E400}', { a: '1E400' }],
	['{"a":-1e+400}', { a: '-1e+400' }],
	['{"a":1e-400}', { a: 0 }],
	['{"a":9007199254740993}', { a: '9007199254740993' }],
	['{"a":-9007199254740993}', { a: '-9007199254740993' }],
	['{"a":12345678901234567890.5}', { a: '12345678901234567890.5' }],
	['{"a":0.98765432109876543210}', { a: 0.9876543210987654 }],
	['{"a":9007199254740992}', { a: 9007199254740992 }],
	['{"a":1e21,"b":1.2345678901234567}', { a: 1e21, b: 1.2345678901234567 }],
	['{"a":-0,"b":9007199254740993}', { a: -0, b: '9007199254740993' }],
	['{"a":0,"b":9007199254740993}', { a: 0, b: '9007199254740993' }],
])('%s is read without losing a digit', (text, value) => {
	expect(readJson(text, 'eak_test_x')).toEqual(value);
});

it('a text of many megabytes does not exceed the stack', () => {
	const audio = 'ab\\n'.repeat(4_000_000);
	const json = readJson(`{"audio":"${audio}","id":12345678901234567890}`, 'eak_test_x');
	expect(json?.id).toBe('12345678901234567890');
	expect(String(json?.audio)).toHaveLength(12_000_000);
});

it('the key is masked in names and texts, and what only resembles JSON in a text stays', () => {
	const [, , secret = ''] = secretKey.split('_');
	const text = String.raw`{"${secretKey}":["a\"${secret}","12345678901234567890",{"b":"c\n"}]}`;
	const value = readJson(text, secretKey);
	expect(value).toEqual({
		'eak_test_***': ['a"eak_test_***', '12345678901234567890', { b: 'c\n' }],
	});
	expectNoKey(value);
});
