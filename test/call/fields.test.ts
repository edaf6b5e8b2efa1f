import {
	buildJsonBody,
	replaceFields,
	replaceNulls,
	readExtraFields,
	type Field,
} from '../../nodes/VoiceSpeech/call/fields';
import { JsonText, stringifyObject } from '../../nodes/VoiceSpeech/text/json';
import { catchError } from '../support/catchError';

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
		...['', null, undefined].flatMap((value) => [
			{ type: 'text' as const, value, sent: '' },
			{ type: 'json' as const, value, sent: '' },
		]),
	])(
		'sends an extra field of type $type with the value $value as the text "$sent"',
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
	])('sends an extra field of type JSON with the value $value as $sent', ({ value, sent }) => {
		expect(readOne('json', value)).toEqual(new JsonText(sent));
	});

	it.each(['[1', "{'a': 1}", 'yes', ' '])(
		'refuses an extra field of type JSON with the value %p',
		(value) => {
			const error = catchError(() => readOne('json', value));
			expect(error.message).toMatch(/^'Extra Fields: a' is not valid JSON \(.+\)$/);
			expect(error.description).toContain('Correct it');
		},
	);

	it.each(['', ' ', null, undefined])('refuses an extra field whose name is %p', (name) => {
		const rows = [{ name: name as string, value: 'b' }];
		expect(catchError(() => readExtraFields(rows)).message).toContain('has no name');
	});

	it('accepts a number as the name of an extra field', () => {
		expect(readExtraFields([{ name: 5 as unknown as string, value: 'x' }])).toEqual([['5', 'x']]);
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
		'sends the JSON body %j unchanged',
		(text) => {
			expect(buildJsonBody(text, [])).toBe(text);
		},
	);

	it.each([
		{ value: { a: [1, 'é'] }, text: '{"a":[1,"é"]}' },
		{ value: [], text: '[]' },
		{ value: 0, text: '0' },
		{ value: false, text: 'false' },
	])('sends a JSON body that an expression returns as a value as $text', ({ value, text }) => {
		expect(buildJsonBody(value, [])).toBe(text);
	});

	it.each([undefined, null, '', ' \n'])('refuses the JSON body %p as empty', (value) => {
		expect(catchError(() => buildJsonBody(value, [])).message).toBe("'JSON Body' is empty");
		expect(catchError(() => buildJsonBody(value, [['a', 'b']])).message).toBe(
			"'JSON Body' is empty",
		);
	});

	it('refuses a JSON body that is not JSON', () => {
		expect(catchError(() => buildJsonBody('{', [])).message).toMatch(
			/^'JSON Body' is not valid JSON/,
		);
	});

	it('adds extra fields at the top level of the JSON body, where they replace its own', () => {
		const extra: Field[] = [
			['c', new JsonText('3')],
			['d.e', 'y'],
		];
		expect(buildJsonBody(' {"a": 12345678901234567890, "c": [1, {"c": 2}]}', extra)).toBe(
			'{"a":12345678901234567890,"c":3,"d.e":"y"}',
		);
	});

	it.each(['[1]', 'null', '5', '"a"'])(
		'refuses to add extra fields to the JSON body %s',
		(text) => {
			const error = catchError(() => buildJsonBody(text, [['a', 'b']]));
			expect(error.message).toContain("cannot be added to 'JSON Body', which is not an object");
		},
	);
});
