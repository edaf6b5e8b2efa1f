import {
	buildJsonBody,
	replaceFields,
	replaceNulls,
	readExtraFields,
	type Field,
} from '../../nodes/VoiceSpeech/call/request.ts';
import { JsonText, stringifyObject } from '../../nodes/VoiceSpeech/text/json.ts';
import { catchError } from '../support/catchError.mts';

const readOne = (type: 'text' | 'json' | undefined, value: unknown) => {
	const [field] = readExtraFields([
		type === undefined ? { name: 'a', value } : { name: 'a', type, value },
	]);
	return field?.[1];
};

describe('an extra field', () => {
	it.each<['text' | 'json' | undefined, value: unknown, sent: string]>([
		[undefined, '5', '5'],
		['text', ' a\n', ' a\n'],
		['text', 5, '5'],
		['text', { b: [1] }, '{"b":[1]}'],
		['text', new Date(0), '1970-01-01T00:00:00.000Z'],
		['text', '', ''],
		['text', null, ''],
		['json', '', ''],
		['json', undefined, ''],
	])('is sent with the type %s and the value %j as the text "%s"', (type, value, sent) => {
		expect(readOne(type, value)).toBe(sent);
	});

	it.each<[value: unknown, sent: string]>([
		[' {"b": [12345678901234567890, 0.10]}\n', '{"b": [12345678901234567890, 0.10]}'],
		['"text"', '"text"'],
		[' null ', 'null'],
		[[1, null], '[1,null]'],
		[0, '0'],
		[false, 'false'],
	])('is sent with the type JSON and the value %j as %s', (value, sent) => {
		expect(readOne('json', value)).toEqual(new JsonText(sent));
	});

	it.each(['[1', 'yes', ' ', NaN])('is rejected with the type JSON and the value %p', (value) => {
		const error = catchError(() => readOne('json', value));
		expect(error.message).toMatch(/^'Extra Fields: a' is not valid JSON \(.+\)$/);
		expect(error.description).toContain('Correct it');
	});

	const notAChoice = "'Extra Fields: a: Type' is 'number', which is not one of its choices";

	it.each<[row: { name?: string; type?: string }, message: string]>([
		[{ name: ' ' }, "A row of 'Extra Fields' has no name"],
		[{}, "A row of 'Extra Fields' has no name"],
		[{ name: 'a', type: 'number' }, notAChoice],
	])('is rejected in the row %j: %s', (row, message) => {
		expect(() => readExtraFields([{ ...row, value: 2 }])).toThrow(message);
	});

	it.each([
		{ name: ' a\n', sent: 'a' },
		{ name: 5, sent: '5' },
	])('with the name $name is sent as $sent', ({ name, sent }) => {
		expect(readExtraFields([{ name, value: 'b' }])).toEqual([[sent, 'b']]);
	});
});

it('sends JSON null as null in JSON, and as an empty text in a form', () => {
	const fields = readExtraFields([
		{ name: 'a', type: 'json', value: 'null' },
		{ name: 'b', type: 'json', value: '[null]' },
		{ name: 'c', type: 'json', value: '"null"' },
		{ name: 'd', value: 'null' },
	]);
	expect(stringifyObject(fields)).toBe('{"a":null,"b":[null],"c":"null","d":"null"}');
	expect(replaceNulls(fields)).toEqual([
		['a', ''],
		['b', new JsonText('[null]')],
		['c', new JsonText('"null"')],
		['d', 'null'],
	]);
});

it('replaces all standard fields by extra fields of the same name, and appends the others', () => {
	const standard: Field[] = [
		['text', 'Hello'],
		['language', 'en'],
		['language', 'de'],
	];
	const extra: Field[] = [
		['language', new JsonText('["en"]')],
		['model', 'm'],
	];
	expect(replaceFields(standard, extra)).toEqual([['text', 'Hello'], ...extra]);
	expect(replaceFields(standard, [])).toEqual(standard);
});

describe('a JSON body', () => {
	it.each([
		[' {\n"a" :  1.10 }\r\n', ' {\n"a" :  1.10 }\r\n'],
		['[ 1 ]', '[ 1 ]'],
		['null', 'null'],
		['{"a":"\\u00e9","a":2}', '{"a":"\\u00e9","a":2}'],
		// An expression returns a value.
		[{ a: [1, 'é'] }, '{"a":[1,"é"]}'],
		[0, '0'],
		[false, 'false'],
	])('of the value %j is sent as %j', (value, text) => {
		expect(buildJsonBody(value, [])).toBe(text);
	});

	it.each<[value: string, extra: Record<string, Field[1]>, text: string]>([
		[
			' {"a": 12345678901234567890, "c": [1, {"c": 2}]}',
			{ c: new JsonText('3'), 'd.e': 'y' },
			'{"a":12345678901234567890,"c":3,"d.e":"y"}',
		],
		['{ }', { a: 'b', c: '' }, '{"a":"b","c":""}'],
		['{}', { ['__proto__']: 'x' }, '{"__proto__":"x"}'],
		['{"\\u0065,\\"}" : [{"f": "]"}, -0] }', { a: 'x' }, '{"e,\\"}":[{"f": "]"}, -0],"a":"x"}'],
	])('%s gets %s at its top level, in place of its own', (value, extra, text) => {
		expect(buildJsonBody(value, Object.entries(extra))).toBe(text);
	});

	const a: Field = ['a', '1'];

	it.each<[value: unknown, extra: Field[], message: string]>([
		[undefined, [], "'JSON Body' is empty"],
		[null, [a], "'JSON Body' is empty"],
		[' \n', [a], "'JSON Body' is empty"],
		['{', [], "'JSON Body' is not valid JSON"],
		['{}', [a, ['a', '2']], "'Extra Fields' has two rows for 'a'"],
		['[1]', [a], "cannot be added to 'JSON Body', which is not an object"],
		['null', [a], "cannot be added to 'JSON Body', which is not an object"],
	])('of the value %j is rejected with the extra fields %j: %s', (value, extra, message) => {
		expect(() => buildJsonBody(value, extra)).toThrow(message);
	});
});
