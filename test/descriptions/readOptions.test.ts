import type { Endpoint } from '../../nodes/VoiceSpeech/endpoint';
import { readOption, readOptions } from '../../nodes/VoiceSpeech/descriptions/readOptions';

/** All options but 'Output File Name' and 'Text Field Name' are for it. */
const anyAudio: Endpoint = {
	path: '/ai/voice-clone',
	body: 'audio',
	returns: 'json',
	voiceSample: true,
	transcript: true,
};

const textOrAudio: Endpoint = { path: '/ai/intent', body: 'chosen', returns: 'any' };

const defaults = {
	answerTimeoutSeconds: 1800,
	concurrency: 5,
	fileFieldName: 'file',
	formatCheck: 'reject',
	includeInputFields: false,
	keepInputFiles: false,
	maxRetryWaitSeconds: 300,
	outputFileName: '',
	rateLimitRetries: 3,
	sampleCheck: 'warn',
	textFieldName: 'text',
	textOnly: false,
};

describe("the node's options", () => {
	const all = (value: unknown) =>
		Object.fromEntries(Object.keys(defaults).map((name) => [name, value]));

	it.each([
		['not set', {}],
		['emptied', all('')],
		['an expression without a result', all(undefined)],
		['null', all(null)],
		['null together', null],
	])('have their defaults where they are %s', (_what, set) => {
		expect(readOptions(set, anyAudio)).toEqual(defaults);
		expect(readOptions(set, textOrAudio)).toEqual(defaults);
	});

	const numbers = (value: unknown) => ({
		answerTimeoutSeconds: value,
		maxRetryWaitSeconds: value,
		rateLimitRetries: value,
	});

	it.each([
		...[-1, NaN, Infinity, 'soon', {}].map((value) => [value, undefined] as const),
		...([
			[0, 0],
			[2.5, 2.5],
			['7', 7],
		] as const),
	])('take the number %p as %p, or the default', (value, number) => {
		const expected = number === undefined ? {} : numbers(number);
		expect(readOptions(numbers(value), anyAudio)).toEqual({ ...defaults, ...expected });
	});

	it.each<[unknown, boolean]>([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
		[0, false],
	])('take the switch %p', (value, expected) => {
		expect(readOption('keepInputFiles', value)).toBe(expected);
	});

	it('take texts and choices', () => {
		const set = { fileFieldName: 7, formatCheck: 'off', sampleCheck: 'reject', textOnly: true };
		expect(readOptions(set, anyAudio)).toEqual({ ...defaults, ...set, fileFieldName: '7' });
	});

	it.each(['formatCheck', 'sampleCheck'])('refuse what is not a choice of %s', (name) => {
		expect(() => readOptions({ [name]: 'Reject' }, anyAudio)).toThrow('not one of its choices');
	});

	it('have their defaults where they are not for the endpoint, also if another operation set them', () => {
		const set = { formatCheck: 'Off', sampleCheck: 'reject', textOnly: true, textFieldName: 'a' };
		expect(readOptions(set, textOrAudio)).toEqual({ ...defaults, textFieldName: 'a' });
		expect(readOptions({ textFieldName: 'a', outputFileName: 'b' }, anyAudio)).toEqual(defaults);
	});
});

it.each([
	...([
		[1, 1],
		['3', 3],
		[2.9, 2.9],
	] as const),
	...[undefined, null, '', 0, 0.5, -1, NaN, Infinity, 'many'].map((value) => [value, 5] as const),
])("the option 'Concurrency' takes %p as %p", (value, limit) => {
	expect(readOption('concurrency', value)).toBe(limit);
});
