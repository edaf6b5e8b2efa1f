import { readText } from '../../nodes/VoiceSpeech/descriptions/readValue.ts';
import { catchError } from '../support/catchError.mts';

const objectAdvice = 'Choose one field of the object. If it is a date such as $now, add .toISO().';

describe('the value of a parameter', () => {
	it.each([
		{ value: 'en', text: 'en' },
		{ value: ' \tHi \n', text: ' \tHi \n' },
		{ value: 5, text: '5' },
		{ value: false, text: 'false' },
		{ value: '[object Object]', text: '[object Object]' },
		{ value: undefined, text: '' },
		{ value: null, text: '' },
		{ value: ' \n', text: '' },
	])('is read as the text "$text" if it is $value', ({ value, text }) => {
		expect(readText('Language', value)).toBe(text);
	});

	it.each([
		{ value: ['a', 'b'], found: 'a list', advice: 'Choose one entry of the list' },
		{ value: [], found: 'a list', advice: 'Choose one entry of the list' },
		{ value: { a: 1 }, found: 'an object', advice: objectAdvice },
		{ value: new Date(0), found: 'an object', advice: objectAdvice },
	])('is rejected as $found if it is $value', ({ value, found, advice }) => {
		const error = catchError(() => readText('Voice ID', value));
		expect(error.message).toBe(`'Voice ID' must be a text, but its expression returns ${found}`);
		expect(error.description).toContain(advice);
	});
});
