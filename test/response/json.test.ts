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
	['{"a":-0,"b":9007199254740993}', { a: -0, b: '9007199254740993' }],
	['{"a":0,"b":9007199254740993}', { a: 0, b: '9007199254740993' }],
])('%s is read without losing a digit', (text, value) => {
	expect(readJson(text, 'eak_test_x')).toEqual(value);
});

it('two names that are equal once the key is masked both stay', () => {
	const [, , secret = ''] = secretKey.split('_');
	const value = readJson(`{"${secretKey}":1,"${secret}":2,"eak_test_***":3}`, secretKey);
	expect(Object.values(value ?? {})).toEqual([1, 2, 3]);
	expectNoKey(value);
});
