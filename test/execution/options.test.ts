import { concurrencyFrom, readOptions } from '../../nodes/VoiceSpeech/execution/options';

const read = (set: object) => readOptions(() => set);

const defaults = {
	answerTimeoutSeconds: 1800,
	fileFieldName: 'file',
	formatCheck: 'reject',
	includeInputFields: false,
	keepInputFiles: true,
	maxRetryWaitSeconds: 300,
	outputFileName: '',
	rateLimitRetries: 3,
	sampleCheck: 'warn',
	textFieldName: 'text',
};

describe("the node's options", () => {
	const all = (value: unknown) =>
		Object.fromEntries(Object.keys(defaults).map((name) => [name, value]));

	it.each([
		['not set', {}],
		['emptied', all('')],
		['an expression without a result', all(undefined)],
		['null', all(null)],
	])('have their defaults where they are %s', (_what, set) => {
		expect(read(set)).toEqual(defaults);
	});

	const numbers = (value: unknown) => ({
		answerTimeoutSeconds: value,
		maxRetryWaitSeconds: value,
		rateLimitRetries: value,
	});

	it.each([-1, NaN, Infinity, 'soon', {}])('take the default for the number %p', (value) => {
		const { answerTimeoutSeconds, maxRetryWaitSeconds, rateLimitRetries } = defaults;
		expect(read(numbers(value))).toMatchObject({
			answerTimeoutSeconds,
			maxRetryWaitSeconds,
			rateLimitRetries,
		});
	});

	it.each([0, 2.5, '7'])('take the number %p', (value) => {
		expect(read(numbers(value))).toMatchObject(numbers(Number(value)));
	});

	it.each(['formatCheck', 'sampleCheck'])('refuse what is not a choice of %s', (name) => {
		expect(() => read({ [name]: 'Reject' })).toThrow('not one of its choices');
	});
});

describe("the option 'Concurrency'", () => {
	it.each([
		[1, 1],
		['3', 3],
		[2.9, 2],
	])('takes the number %p', (value, limit) => {
		expect(concurrencyFrom(value)).toBe(limit);
	});

	it.each([undefined, null, '', 0, -1, NaN, Infinity, 'many'])('is 5 for %p', (value) => {
		expect(concurrencyFrom(value)).toBe(5);
	});
});
