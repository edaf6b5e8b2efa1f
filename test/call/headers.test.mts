import { validateHeaders } from '../../nodes/VoiceSpeech/call/readOptions.ts';
import { catchError } from '../support/catchError.mts';

const reasons = {
	'n8n does not send a header with this name.':
		'__proto__ common constructor delete Get head patch post prototype put query',
	'It would change how the request is transferred.': 'Expect TE Trailer Transfer-Encoding upgrade',
	'The node sets this header itself.':
		'Accept-Encoding Connection Content-Length Content-Type Host X-API-Key x-api-key',
};

it.each(Object.entries(reasons))('rejects a header, because: %s (%s)', (reason, names) => {
	for (const name of names.split(' ')) {
		expect(catchError(() => validateHeaders([{ name, value: 'other' }]))).toMatchObject({
			message: `The option 'Headers' cannot set '${name}'`,
			description: `${reason} Remove the row.`,
		});
	}
});

it('rejects two rows with the same name, because n8n would send only one of them', () => {
	const headers = [
		{ name: 'X-A', value: 'a' },
		{ name: 'x-a', value: 'b' },
	];
	expect(catchError(() => validateHeaders(headers)).message).toBe(
		"The option 'Headers' has two rows for 'x-a'",
	);
});

it.each([
	{ name: 'a b', value: 'a' },
	{ name: 'a:', value: 'a' },
	{ name: 'a', value: 'b\r\nX-API-Key: c' },
	{ name: 'a', value: 'Ω' },
])('rejects the header "$name" with the value "$value"', (header) => {
	expect(catchError(() => validateHeaders([header])).message).toBe(
		`The option 'Headers' has a row that is not a valid header: '${header.name}'`,
	);
});

it.each(['X-Request-ID', 'Accept', 'toString'])("accepts the header '%s'", (name) => {
	expect(() => validateHeaders([{ name, value: 'a1 é' }])).not.toThrow();
});
