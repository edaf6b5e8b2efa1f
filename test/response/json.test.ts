import { readJson } from '../../nodes/VoiceSpeech/response/json';

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
