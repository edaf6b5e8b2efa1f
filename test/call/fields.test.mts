import {
	buildJsonBody,
	replaceFields,
	replaceNulls,
	readExtraFields,
	type Field,
} from '../../nodes/VoiceSpeech/call/fields.ts';
import { JsonText, stringifyObject } from '../../nodes/VoiceSpeech/text/json.ts';
import { catchError } from '../support/catchError.mts';

const readOne = (type: 'text' | 'json' | undefined, value: unknown) => {
	const [field] = readExtraFields([
		type === undefined ? { name: 'a', value } : { name: 'a', type, value },
	]);
	return field?.[1];
};

describe('an extra field', () => {
	it.each([
		{ type: undefined, value: '5', sent: '5' },
		{ type: 'text' as const, value: ' a\n', sent: ' a\n' },
		{ type: 'text' as const, value: 5, sent: '5' },
		{ type: 'text' as const, value: false, sent: 'false' },
		{ type: 'text' as const, value: { b: [1] }, sent: '{"b":[1]}' },
		{ type: 'text' as const, value: 'null', sent: 'null' },
		{ type: 'text' as const, value: new Date(0), sent: '1970-01-01T00:00:00.000Z' },
		...['', null, undefined].flatMap((value) => [
			{ type: 'text' as const, value, sent: '' },
			{ type: 'json' as const, value, sent: '' },
		]),
	])(
		'is sent with the type $type and the value $value as the text "$sent"',
		({ type, value, sent }) => {
			expect(readOne(type, value)).toBe(sent);
		},
	);

	it.each([
		{
			value: ' {"b": [12345678901234567890, 0.10]}\n',
			sent: '{"b": [12345678901234567890, 0.10]}',
		},
		{ value: '"text"', sent: '"text"' },
		{ value: ' null ', sent: 'null' },
		{ value: { b: [1] }, sent: '{"b":[1]}' },
		{ value: [1, null], sent: '[1,null]' },
		{ value: 0, sent: '0' },
		{ value: false, sent: 'false' },
	])('is sent with the type JSON and the value $value as $sent', ({ value, sent }) => {
		expect(readOne('json', value)).toEqual(new JsonText(sent));
	});

	it.each(['[1', "{'a': 1}", 'yes', ' ', NaN, Infinity])(
		'is rejected with the type JSON and the value %p',
		(value) => {
			const error = catchError(() => readOne('json', value));
			expect(error.message).toMatch(/^'Extra Fields: a' is not valid JSON \(.+\)$/);
			expect(error.description).toContain('Correct it');
		},
	);

	it.each(['', ' ', null, undefined])('is rejected with the name %p', (name) => {
		const rows = [{ name, value: 'b' }];
		expect(catchError(() => readExtraFields(rows)).message).toContain('has no name');
	});

	it('is rejected with a type that is not one of the choices', () => {
		const error = catchError(() => readExtraFields([{ name: 'a', type: 'number', value: 2 }]));
		expect(error.message).toBe(
			"'Extra Fields: a: Type' is 'number', which is not one of its choices",
		);
	});

	it('has the name without white space around it', () => {
		expect(readExtraFields([{ name: ' a\n', value: 'b' }])).toEqual([['a', 'b']]);
	});

	it('may have a number as its name', () => {
		expect(readExtraFields([{ name: 5, value: 'x' }])).toEqual([['5', 'x']]);
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
	it.each([' {\n"a" :  1.10 }\r\n', '[ 1 ]', 'null', '"a"', '{"a":"\\u00e9","a":2}'])(
		'is sent unchanged: %j',
		(text) => {
			expect(buildJsonBody(text, [])).toBe(text);
		},
	);

	it.each([
		{ value: { a: [1, 'é'] }, text: '{"a":[1,"é"]}' },
		{ value: [], text: '[]' },
		{ value: 0, text: '0' },
		{ value: false, text: 'false' },
	])('is sent as $text if an expression returns a value', ({ value, text }) => {
		expect(buildJsonBody(value, [])).toBe(text);
	});

	it.each([undefined, null, '', ' \n'])('is rejected as empty: %p', (value) => {
		expect(catchError(() => buildJsonBody(value, [])).message).toBe("'JSON Body' is empty");
		expect(catchError(() => buildJsonBody(value, [['a', 'b']])).message).toBe(
			"'JSON Body' is empty",
		);
	});

	it('is rejected if it is not JSON', () => {
		expect(catchError(() => buildJsonBody('{', [])).message).toMatch(
			/^'JSON Body' is not valid JSON/,
		);
	});

	it('gets extra fields at its top level, where they replace its own', () => {
		const extra: Field[] = [
			['c', new JsonText('3')],
			['d.e', 'y'],
		];
		expect(buildJsonBody(' {"a": 12345678901234567890, "c": [1, {"c": 2}]}', extra)).toBe(
			'{"a":12345678901234567890,"c":3,"d.e":"y"}',
		);
	});

	it.each<{ what: string; value: string; extra: Field[]; text: string }>([
		{
			what: 'into an empty object',
			value: '{ }',
			extra: [
				['a', 'b'],
				['c', ''],
			],
			text: '{"a":"b","c":""}',
		},
		{ what: 'whose names are numbers', value: '{}', extra: [['5', 'x']], text: '{"5":"x"}' },
		{
			what: 'next to names with special characters',
			value: '{"\\u0065,\\"}" : [{"f": "]"}, -0] }',
			extra: [['a', 'x']],
			text: '{"e,\\"}":[{"f": "]"}, -0],"a":"x"}',
		},
		{
			what: 'whose name is that of a prototype',
			value: '{}',
			extra: [['__proto__', 'x']],
			text: '{"__proto__":"x"}',
		},
	])('gets extra fields $what', ({ value, extra, text }) => {
		expect(buildJsonBody(value, extra)).toBe(text);
	});

	it('gets no two extra fields of the same name', () => {
		const extra: Field[] = [
			['a', '1'],
			['a', '2'],
		];
		const error = catchError(() => buildJsonBody('{}', extra));
		expect(error.message).toBe("'Extra Fields' has two rows for 'a'");
	});

	it.each(['[1]', 'null', '5', '"a"'])('gets no extra fields if it is %s', (text) => {
		const error = catchError(() => buildJsonBody(text, [['a', 'b']]));
		expect(error.message).toContain("cannot be added to 'JSON Body', which is not an object");
	});
});
