import { readOptions } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import {
	optionDefinitions,
	type CallOptions,
} from '../../nodes/VoiceSpeech/descriptions/options.ts';
import type { Endpoint } from '../../nodes/VoiceSpeech/service/endpoint.ts';

/** An endpoint to which the options about audio, transcripts and voice samples apply. */
const anyAudio: Endpoint = {
	path: '/ai/voice-clone',
	input: 'audio',
	returns: 'json',
	takesVoiceSample: true,
	returnsTranscript: true,
};

/** An endpoint to which the options about texts, output files and undocumented requests apply. */
const anyInput: Endpoint = { path: '/ai/intent', input: 'chosen', returns: 'any' };

const names = Object.keys(optionDefinitions);

function saveForAll(value: unknown): Record<string, unknown> {
	return Object.fromEntries(names.map((name) => [name, value]));
}

describe.each([
	{ what: 'audio', endpoint: anyAudio },
	{ what: 'any input', endpoint: anyInput },
])('for an endpoint that takes $what', ({ endpoint }) => {
	const defaults = readOptions({}, endpoint);

	it('every option has a default', () => {
		expect(Object.keys(defaults)).toEqual(names);
		expect(Object.values(defaults)).not.toContain(undefined);
	});

	it.each([
		{ state: 'emptied', saved: saveForAll('') },
		{ state: 'only white space', saved: saveForAll(' ') },
		{ state: 'an expression without a result', saved: saveForAll(undefined) },
		{ state: 'null', saved: saveForAll(null) },
		{ state: 'null together', saved: null },
	])('options that are $state have their defaults', ({ saved }) => {
		expect(readOptions(saved, endpoint)).toEqual(defaults);
	});
});

it('a default is a value of the kind that the option has', () => {
	expect(readOptions({}, anyAudio)).toMatchObject({
		responseTimeoutSeconds: 1800,
		headers: [],
		keepInputFiles: false,
		otherFormats: 'convert',
		outputFileName: '',
	} satisfies Partial<CallOptions>);
});

it.each([
	{ saved: 0, number: 0 },
	{ saved: 2.5, number: 2.5 },
	{ saved: '7', number: 7 },
])('a number saved as $saved is read as $number', ({ saved, number }) => {
	const { maxRetryWaitSeconds } = readOptions({ maxRetryWaitSeconds: saved }, anyAudio);
	expect(maxRetryWaitSeconds).toBe(number);
});

it.each([
	{ saved: 1, number: 1 },
	{ saved: '3', number: 3 },
	{ saved: 2.9, number: 2.9 },
	{ saved: null, number: 5 },
	{ saved: '', number: 5 },
])("'Concurrency' saved as $saved is read as $number", ({ saved, number }) => {
	expect(optionDefinitions.concurrency.read(saved)).toBe(number);
});

it.each([
	{ saved: 0, found: "'0'" },
	{ saved: 0.5, found: "'0.5'" },
	{ saved: -1, found: "'-1'" },
	{ saved: NaN, found: "'NaN'" },
	{ saved: Infinity, found: "'Infinity'" },
	{ saved: 'many', found: "'many'" },
	{ saved: true, found: "'true'" },
	{ saved: Symbol('a'), found: "'Symbol(a)'" },
	{ saved: 'a'.repeat(300), found: `'${'a'.repeat(200)}…'` },
	{ saved: [2, 3], found: 'an object' },
	{ saved: { toString: 1 }, found: 'an object' },
])("'Concurrency' saved as $saved is rejected, because it is at least 1", ({ saved, found }) => {
	expect(() => optionDefinitions.concurrency.read(saved)).toThrow(
		`'Concurrency' is ${found}, not a number of at least 1`,
	);
});

it.each([
	{ saved: 24, hours: 24 },
	{ saved: '0.001', hours: 0.001 },
	{ saved: 8760, hours: 8760 },
	{ saved: undefined, hours: 0 },
	{ saved: '', hours: 0 },
])("'Link (Hours)' saved as $saved is read as $hours", ({ saved, hours }) => {
	expect(readOptions({ linkHours: saved }, anyInput).linkHours).toBe(hours);
});

it.each([0, -1, 8760.5, 1e300, NaN, 'a day', [24], true])(
	"'Link (Hours)' saved as %p is rejected, because it is from 0.001 to 8760",
	(saved) => {
		expect(() => readOptions({ linkHours: saved }, anyInput)).toThrow(
			/^'Link \(Hours\)' is .+, not a number from 0\.001 to 8760$/,
		);
	},
);

it("'Link (Hours)' has 24 hours when the user adds it to the panel", () => {
	expect(optionDefinitions.linkHours.property).toMatchObject({
		default: 24,
		typeOptions: { minValue: 0.001, maxValue: 8760 },
	});
});

it.each([
	{ saved: true, isOn: true },
	{ saved: 'true', isOn: true },
	{ saved: false, isOn: false },
	{ saved: 'false', isOn: false },
	{ saved: 'FALSE', isOn: false },
	{ saved: 0, isOn: false },
	{ saved: '1', isOn: true },
])('a boolean option saved as $saved is read as $isOn', ({ saved, isOn }) => {
	expect(readOptions({ keepInputFiles: saved }, anyAudio).keepInputFiles).toBe(isOn);
});

it.each([
	{ saved: 'no', found: "'no'" },
	{ saved: 2, found: "'2'" },
	{ saved: [true], found: 'an object' },
	{ saved: {}, found: 'an object' },
])('a boolean option saved as $saved is rejected', ({ saved, found }) => {
	expect(() => readOptions({ keepInputFiles: saved }, anyAudio)).toThrow(
		`'Keep Input Files' is ${found}, not true or false`,
	);
});

it('a boolean option that the user adds to the panel has the opposite of its default', () => {
	expect(optionDefinitions.keepInputFiles.property.default).toBe(true);
});

it('a text is read without the white space around it, and a number as text', () => {
	expect(readOptions({ fileFieldName: ' audio\n' }, anyAudio).fileFieldName).toBe('audio');
	expect(readOptions({ fileFieldName: 7 }, anyAudio).fileFieldName).toBe('7');
	expect(readOptions({ fileFieldName: ' ' }, anyAudio).fileFieldName).toBe('file');
});

it('rows are read as texts without the white space around them', () => {
	const parameter = [{ name: ' a ', value: 7 }, { name: 'b' }];
	const { headers } = readOptions({ headers: { parameter } }, anyInput);
	expect(headers).toEqual([
		{ name: 'a', value: '7' },
		{ name: 'b', value: '' },
	]);
});

it('a row without a name is rejected', () => {
	const saved = { headers: { parameter: [{ name: ' ', value: 'a' }] } };
	expect(() => readOptions(saved, anyInput)).toThrow("A row of 'Headers' has no name");
});

it.each([
	{ saved: { fileFieldName: {} }, label: 'File Field Name' },
	{ saved: { headers: { parameter: [{ name: 'X-A', value: [1, 2] }] } }, label: 'Headers: X-A' },
	{ saved: { queryParameters: { parameter: [{ name: {} }] } }, label: 'Query Parameters' },
])("an object as the text of '$label' is rejected", ({ saved, label }) => {
	expect(() => readOptions(saved, anyInput)).toThrow(`'${label}' must be a text`);
});

it.each(['otherFormats', 'sampleCheck'])(
	'a value that is not a choice of %s is rejected',
	(name) => {
		expect(() => readOptions({ [name]: 'Reject' }, anyAudio)).toThrow('not one of its choices');
		expect(readOptions({ [name]: 'reject' }, anyAudio)).toMatchObject({ [name]: 'reject' });
	},
);

it('options that are not for the endpoint have their defaults, even if another operation set them', () => {
	const forAudio = { sampleCheck: 'Off', textOnly: true };
	const forText = { textFieldName: 'a', outputFileName: 'b' };
	expect(readOptions({ ...forAudio, ...forText }, anyInput)).toEqual({
		...readOptions({}, anyInput),
		...forText,
	});
	expect(readOptions(forText, anyAudio)).toEqual(readOptions({}, anyAudio));
});
