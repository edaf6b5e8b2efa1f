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
	convertAudio: true,
	fileFieldName: 'file',
	formatCheck: 'reject',
	headers: [],
	includeInputFields: false,
	includeResponseHeaders: false,
	keepInputFiles: false,
	maxRetryWaitSeconds: 300,
	outputFileName: '',
	queryParameters: [],
	rateLimitRetries: 3,
	sampleCheck: 'warn',
	textFieldName: 'text',
	textOnly: false,
};

describe("the node's options", () => {
	const all = (value: unknown) =>
		Object.fromEntries(Object.keys(defaults).map((name) => [name, value]));

	it.each([
		{ what: 'not set', set: {} },
		{ what: 'emptied', set: all('') },
		{ what: 'an expression without a result', set: all(undefined) },
		{ what: 'null', set: all(null) },
		{ what: 'null together', set: null },
	])('reads the defaults of options that are $what', ({ set }) => {
		expect(readOptions(set, anyAudio)).toEqual(defaults);
		expect(readOptions(set, textOrAudio)).toEqual(defaults);
	});

	const numbers = (value: unknown) => ({
		answerTimeoutSeconds: value,
		maxRetryWaitSeconds: value,
		rateLimitRetries: value,
	});

	it.each([0, 2.5, '7'])('reads the number %p', (value) => {
		const expected = { ...defaults, ...numbers(Number(value)) };
		expect(readOptions(numbers(value), anyAudio)).toEqual(expected);
	});

	it.each([-1, NaN, Infinity, 'soon', {}])(
		'reads the default in place of the number %p',
		(value) => {
			expect(readOptions(numbers(value), anyAudio)).toEqual(defaults);
		},
	);

	it.each([true, 'true', false, 'false', 0])('reads the switch %p', (value) => {
		expect(readOption('keepInputFiles', value)).toBe(String(value) === 'true');
	});

	it('reads texts and choices', () => {
		const set = { fileFieldName: 7, formatCheck: 'off', sampleCheck: 'reject', textOnly: true };
		expect(readOptions(set, anyAudio)).toEqual({ ...defaults, ...set, fileFieldName: '7' });
	});

	it.each(['formatCheck', 'sampleCheck'])('refuses what is not a choice of %s', (name) => {
		expect(() => readOptions({ [name]: 'Reject' }, anyAudio)).toThrow('not one of its choices');
	});

	it('reads the defaults of options that are not for the endpoint, even if another operation set them', () => {
		const set = { formatCheck: 'Off', sampleCheck: 'reject', textOnly: true, textFieldName: 'a' };
		expect(readOptions(set, textOrAudio)).toEqual({ ...defaults, textFieldName: 'a' });
		expect(readOptions({ textFieldName: 'a', outputFileName: 'b' }, anyAudio)).toEqual(defaults);
	});
});

it("reads the option 'Concurrency' as at least 1", () => {
	const read = (values: unknown[]) => values.map((value) => readOption('concurrency', value));
	expect(read([1, '3', 2.9])).toEqual([1, 3, 2.9]);
	expect(read([null, '', 0, 0.5, -1, NaN, Infinity, 'many'])).toEqual(Array(8).fill(5));
});
