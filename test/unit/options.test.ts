import { callOptions } from '../../nodes/VoiceSpeech/request/options';

const read = (set: object) => callOptions(() => set);

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
		['what an expression does not find', all(undefined)],
		['null', all(null)],
	])('have their defaults where they are %s', (_what, set) => {
		expect(read(set)).toEqual(defaults);
	});

	it.each([-1, NaN, Infinity, 'soon', {}])('take the default for the number %p', (value) => {
		const { answerTimeoutSeconds, maxRetryWaitSeconds, rateLimitRetries } = defaults;
		const set = all(value);
		expect(read(set)).toMatchObject({
			answerTimeoutSeconds,
			maxRetryWaitSeconds,
			rateLimitRetries,
		});
	});

	it.each([0, 2.5, '7'])('take the number %p', (value) => {
		const number = Number(value);
		expect(read(all(value))).toMatchObject({
			answerTimeoutSeconds: number,
			maxRetryWaitSeconds: number,
			rateLimitRetries: number,
		});
	});
});
