import { CallError } from '../../nodes/VoiceSpeech/errors/callError';
import { httpError, type ErrorResponse } from '../../nodes/VoiceSpeech/errors/httpError';

const facts = {
	endpoint: { path: '/ai/amd', body: 'chosen', returns: 'any' },
	environment: 'sandbox',
	baseUrl: 'https://api.example.com',
} as const;

const errorOf = (response: Partial<ErrorResponse>, baseUrl: string = facts.baseUrl) =>
	httpError({ status: 500, sentence: '', ...response }, { ...facts, baseUrl });

it.each([
	[302, 'The service redirects to another address'],
	[400, 'The service did not accept the request'],
	[401, 'The service does not accept the API key'],
	[402, 'The sandbox wallet has no credits left for this call'],
	[403, 'The API key is not allowed to do this'],
	[404, 'Not found: /ai/amd'],
	[405, 'Not found: /ai/amd'],
	[407, 'The proxy requires a login'],
	[408, 'The service stopped waiting for the request'],
	[413, 'The request is too large for the service'],
	[415, 'The service does not accept this format'],
	[304, 'The service responded with an unexpected status'],
	[418, 'The service responded with an unexpected status'],
	[422, 'The service did not accept the request'],
	[429, 'The service is receiving too many requests'],
	[500, 'The service failed'],
])('status %i without a sentence of the service: %s', (status, what) => {
	const error = errorOf({ status });
	expect(error).toBeInstanceOf(CallError);
	expect(error).toMatchObject({ message: `${what} (${status})`, status });
	expect(errorOf({ status, sentence: 'No.' }).message).toBe(`${what} (${status}): No.`);
});

it.each([
	...[300, 302, 304, 308, 408, 500, 503, 511, 599].map((status) => [status, 'possible'] as const),
	...[400, 401, 402, 403, 404, 407, 413, 415, 418, 422, 429].map(
		(status) => [status, undefined] as const,
	),
])('status %i says about debits: %s', (status, debit) => {
	expect(errorOf({ status }).debit).toBe(debit);
});

const went = (baseUrl: string) => `The request went to '${baseUrl}/ai/amd'.`;

it.each([
	['https://api.example.com', "Check the credential's 'Base URL'."],
	['https://ai', "Check the credential's 'Base URL'."],
	[
		'https://api.example.com/ai',
		"Remove '/ai' from the end of the credential's 'Base URL': the node adds it itself.",
	],
	[
		'https://api.example.com/v1/ai/amd',
		"Remove '/ai/amd' from the end of the credential's 'Base URL': the node adds it itself.",
	],
])(
	"the advice of a 404 names the full address, and a path of '%s' to remove",
	(baseUrl, advice) => {
		expect(errorOf({ status: 404 }, baseUrl).description).toBe(`${advice} ${went(baseUrl)}`);
	},
);

it('the advice of a 404 names the voice that was sent', () => {
	const error = httpError({ status: 404, sentence: '' }, { ...facts, voiceId: 'vc_1' });
	expect(error.description).toBe(
		`Check 'Voice ID', which is 'vc_1', and the credential's 'Base URL'. ${went(facts.baseUrl)}`,
	);
});

it.each<[Partial<ErrorResponse>, string]>([
	[{ status: 429 }, 'Try again later. Lower the option '],
	[{ status: 429, retryAfter: 6.2 }, 'Try again later. The service asks to wait 7 seconds. '],
	[{ status: 503, retryAfter: 60 }, 'Try again later. The service asks to wait 60 seconds.'],
])('the advice of %j says how long to wait', (response, advice) => {
	expect(errorOf(response).description?.startsWith(advice)).toBe(true);
});
