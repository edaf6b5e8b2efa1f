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

type OptionName = keyof typeof optionDefinitions;

it.each<[option: OptionName, saved: unknown, read: unknown]>([
	['maxRetryWaitSeconds', 0, 0],
	['maxRetryWaitSeconds', '7', 7],
	['concurrency', 1, 1],
	['concurrency', 2.9, 2.9],
	['concurrency', null, 5],
	['linkHours', 8760, 8760],
	['linkHours', '0.001', 0.001],
	['linkHours', '', 0],
	['keepInputFiles', true, true],
	['keepInputFiles', 'true', true],
	['keepInputFiles', '1', true],
	['keepInputFiles', 'FALSE', false],
	['keepInputFiles', 0, false],
	['fileFieldName', ' audio\n', 'audio'],
	['fileFieldName', 7, '7'],
	['fileFieldName', ' ', 'file'],
	['otherFormats', 'reject', 'reject'],
	['sampleCheck', 'reject', 'reject'],
])('the option %s saved as %p is read as %p', (option, saved, read) => {
	expect(optionDefinitions[option].read(saved)).toBe(read);
});

const rows = (...parameter: object[]) => ({ parameter });

it.each<[option: OptionName, saved: unknown, message: string]>([
	['concurrency', 0.5, "'Concurrency' is '0.5', not a number of at least 1"],
	['concurrency', -1, "'Concurrency' is '-1', not a number of at least 1"],
	['concurrency', NaN, "'Concurrency' is 'NaN', not a number of at least 1"],
	['concurrency', Infinity, "'Concurrency' is 'Infinity', not a number of at least 1"],
	['concurrency', 'many', "'Concurrency' is 'many', not a number of at least 1"],
	['concurrency', true, "'Concurrency' is 'true', not a number of at least 1"],
	['concurrency', Symbol('a'), "'Concurrency' is 'Symbol(a)', not a number of at least 1"],
	['concurrency', 'a'.repeat(300), `'Concurrency' is '${'a'.repeat(200)}…', not a number`],
	['concurrency', [2, 3], "'Concurrency' is an object, not a number of at least 1"],
	['concurrency', { toString: 1 }, "'Concurrency' is an object, not a number of at least 1"],
	['linkHours', 0, "'Link (Hours)' is '0', not a number from 0.001 to 8760"],
	['linkHours', 8760.5, "'Link (Hours)' is '8760.5', not a number from 0.001 to 8760"],
	['keepInputFiles', 'no', "'Keep Input Files' is 'no', not true or false"],
	['keepInputFiles', 2, "'Keep Input Files' is '2', not true or false"],
	['keepInputFiles', [true], "'Keep Input Files' is an object, not true or false"],
	['fileFieldName', {}, "'File Field Name' must be a text"],
	['headers', rows({ name: ' ', value: 'a' }), "A row of 'Headers' has no name"],
	['headers', rows({ name: 'X-A', value: [1, 2] }), "'Headers: X-A' must be a text"],
	['queryParameters', rows({ name: {} }), "'Query Parameters' must be a text"],
	['otherFormats', 'Reject', 'not one of its choices'],
	['sampleCheck', 'Reject', 'not one of its choices'],
])('the option %s saved as %p is rejected: %s', (option, saved, message) => {
	expect(() => optionDefinitions[option].read(saved)).toThrow(message);
});

it("'Link (Hours)' has 24 hours when the user adds it to the panel", () => {
	expect(optionDefinitions.linkHours.property).toMatchObject({
		default: 24,
		typeOptions: { minValue: 0.001, maxValue: 8760 },
	});
});

it('a boolean option that the user adds to the panel has the opposite of its default', () => {
	expect(optionDefinitions.keepInputFiles.property.default).toBe(true);
});

it('rows are read as texts without the white space around them', () => {
	const parameter = [{ name: ' a ', value: 7 }, { name: 'b' }];
	const { headers } = readOptions({ headers: { parameter } }, anyInput);
	expect(headers).toEqual([
		{ name: 'a', value: '7' },
		{ name: 'b', value: '' },
	]);
});

it('options that are not for the endpoint have their defaults, even if another operation set them', () => {
	const forAudio = { sampleCheck: 'Off', textOnly: true };
	const forText = { textFieldName: 'a', outputFileName: 'b' };
	expect(readOptions({ ...forAudio, ...forText }, anyInput)).toEqual({
		...readOptions({}, anyInput),
		...forText,
	});
	expect(readOptions(forText, anyAudio)).toEqual(readOptions({}, anyAudio));
});
