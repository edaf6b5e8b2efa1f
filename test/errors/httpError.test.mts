import { acceptedFormatsText } from '../../nodes/VoiceSpeech/service/endpoint.ts';
import { CallError } from '../../nodes/VoiceSpeech/errors/bases.ts';
import {
	createHttpError,
	type CallDetails,
	type ErrorResponse,
} from '../../nodes/VoiceSpeech/errors/httpError.ts';
import { getDebit } from '../../nodes/VoiceSpeech/service/statusMeaning.ts';
import { maxQuoteLength } from '../../nodes/VoiceSpeech/limits.ts';
import { detectAnsweringMachine } from '../../nodes/VoiceSpeech/resources/phoneCall/detectAnsweringMachine.ts';
import { speechToText } from '../../nodes/VoiceSpeech/resources/speech/speechToText.ts';
import { textToSpeech } from '../../nodes/VoiceSpeech/resources/speech/textToSpeech.ts';
import { clone as cloneOperation } from '../../nodes/VoiceSpeech/resources/voice/clone.ts';

const baseUrl = 'https://api.example.com';
const credentialLabel = "the credential 'Test'";
const consoleLabel = 'the console (https://console.example.com)';

const createError = (response: Partial<ErrorResponse>, details: Partial<CallDetails> = {}) =>
	createHttpError(
		{ status: 500, sentence: '', ...response },
		{
			endpoint: speechToText.endpoint,
			environment: 'sandbox',
			baseUrl,
			credentialLabel,
			consoleLabel,
			...details,
		},
	);

it.each([
	{ status: 302, what: 'The service redirects to another address' },
	{ status: 304, what: 'The service responded with an unexpected status' },
	{ status: 400, what: 'The service did not accept the request' },
	{ status: 401, what: 'The service does not accept the API key' },
	{ status: 402, what: 'Not enough credits in the sandbox wallet?' },
	{ status: 403, what: 'The API key probably lacks a scope, or is for another product' },
	{ status: 404, what: 'Not found: /ai/speech-to-text' },
	{ status: 405, what: 'This address does not accept calls' },
	{ status: 407, what: 'The proxy requires a login' },
	{ status: 408, what: 'The service stopped waiting for the request' },
	{ status: 413, what: 'The request is too large for the service' },
	{ status: 415, what: 'The service does not accept this format' },
	{ status: 418, what: 'The service responded with an unexpected status' },
	{ status: 422, what: 'The service did not accept the request' },
	{ status: 429, what: 'The service is receiving too many requests' },
	{ status: 500, what: 'The service failed' },
	{ status: 503, what: 'The service failed' },
	{ status: 502, what: 'The service failed' },
	{ status: 504, what: 'A proxy in front of the service stopped waiting' },
	{ status: 519, what: 'The service failed' },
	...[522, 524].map((status) => ({
		status,
		what: 'A proxy in front of the service stopped waiting',
	})),
	...[520, 521, 523, 525, 526, 527].map((status) => ({
		status,
		what: 'A proxy in front of the service got no usable response from it',
	})),
	{ status: 528, what: 'The service failed' },
	{ status: 599, what: 'The service failed' },
	{ status: 600, what: 'The service responded with an unexpected status' },
	{ status: 0, what: 'The service responded with an unexpected status' },
])('reports a response $status as "$what"', ({ status, what }) => {
	const error = createError({ status });
	expect(error).toBeInstanceOf(CallError);
	expect(error).toMatchObject({ message: `${what} (${status})`, status });
	expect(createError({ status, sentence: 'No.' }).message).toBe(`${what} (${status}): No.`);
});

it.each([
	{ status: 407, isNamed: false },
	{ status: 403, isNamed: true },
	{ status: 502, isNamed: true },
])(
	'names the proxy as the possible sender of a response $status through a proxy: $isNamed',
	({ status, isNamed }) => {
		const sentence = / The proxy of 'Proxy' in the request options may have sent this response\.$/;
		const { description } = createError({ status }, { hasProxy: true });
		expect(sentence.test(description ?? '')).toBe(isNamed);
		expect(createError({ status }, { hasProxy: false }).description).not.toMatch(sentence);
	},
);

it.each([
	{ waitedSeconds: 0.2, wait: 'less than a second' },
	{ waitedSeconds: 1.2, wait: '1 second' },
	{ waitedSeconds: 59.96, wait: '60 seconds' },
])('says that a proxy waited for $wait', ({ waitedSeconds, wait }) => {
	const { message } = createError({ status: 524, waitedSeconds, sentence: 'Timeout' });
	expect(message).toBe(
		`A proxy in front of the service stopped waiting after ${wait} (524): Timeout`,
	);
});

// test/service/statusMeaning.test.mts has a row for each status.
it('an HTTP error has the debit status that getDebit returns', () => {
	for (const retryAfter of [undefined, 0]) {
		expect(createError({ status: 503, retryAfter }).debit).toBe(getDebit(503, retryAfter));
	}
});

describe('a 404 of a call with a voice', () => {
	const withVoice = { endpoint: textToSpeech.endpoint, voiceId: 'Anna' };

	it.each(['Voice not found', 'Unknown voice_id.', 'body.voiceId: unknown', 'No vc_1 here'])(
		'is about the voice if the service says "%s"',
		(sentence) => {
			const { message, description } = createError({ status: 404, sentence }, withVoice);
			expect(message).toBe(`Voice not found (404): ${sentence}`);
			expect(description).toBe(
				"'Voice ID' is 'Anna'. Enter the voice_id that Clone returned, not the voice's name.",
			);
		},
	);

	it('may be about the key if the voice has an ID', () => {
		const withId = { ...withVoice, voiceId: 'vc_1' };
		expect(createError({ status: 404, sentence: 'Voice not found' }, withId).description).toBe(
			"'Voice ID' is 'vc_1'. Enter the voice_id that Clone returned, not the voice's name. If Clone used a live key: it is not documented whether sandbox keys can use that voice.",
		);
	});

	it.each<Partial<ErrorResponse>>([
		{ sentence: '' },
		{ sentence: 'Not Found' },
		{ sentence: 'Cannot POST /voice/ai/text-to-speech' },
		{ sentence: 'Voice and Speech: page not found', isPage: true },
	])('may be about the address too if the service says "$sentence"', (response) => {
		const { message, description } = createError({ status: 404, ...response }, withVoice);
		expect(message).toMatch(/^Voice or address not found \(404\)/);
		expect(description).toContain("Then check the credential's 'Base URL'. The request went to");
	});

	it('is about the voice although the base URL ends in a path of the service', () => {
		const { message, description } = createError(
			{ status: 404, sentence: 'Unknown voice_id.' },
			{ ...withVoice, baseUrl: `${baseUrl}/ai` },
		);
		expect(message).toContain('Voice not found (404)');
		expect(description).toContain("'Voice ID' is 'Anna'.");
	});
});

it('points a web page as response 403 to what is between n8n and the service', () => {
	const error = createError({ status: 403, isPage: true, sentence: 'Blocked' });
	expect(error.message).toBe('A firewall or proxy probably refused the request (403): Blocked');
	expect(error.description).toContain('Ask the person who runs the firewall or proxy');
	expect(error.debit).toBe('refused');
});

const speak = { endpoint: textToSpeech.endpoint };
const clone = { endpoint: cloneOperation.endpoint };
const undocumented = { endpoint: detectAnsweringMachine.endpoint };
const live: Partial<CallDetails> = { environment: 'live' };
const ai = `${baseUrl}/v1/ai`;

it.each<{
	what: string;
	status: number;
	/** The beginning of the advice. */
	advice: string;
	details?: Partial<CallDetails>;
	more?: Partial<ErrorResponse>;
}>([
	{
		what: 'without Location',
		status: 302,
		advice: 'The key is never sent along a redirect. If the service has moved, put the new address',
	},
	{
		what: 'with Location',
		status: 302,
		advice: "The key is never sent along a redirect to '/x'.",
		more: { location: '/x' },
	},
	{
		what: 'with an empty Location',
		status: 302,
		advice: 'The key is never sent along a redirect. If the service has moved',
		more: { location: '' },
	},
	{
		what: 'with a long Location',
		status: 302,
		advice: `The key is never sent along a redirect to '/${'x'.repeat(maxQuoteLength - 1)}…'.`,
		more: { location: `/${'x'.repeat(6_000)}` },
	},
	{
		what: 'that leads nowhere',
		status: 304,
		advice: 'Ask your provider what status 304 means.',
		more: { location: '/x' },
	},
	{
		what: 'of an operation that returns a transcript',
		status: 400,
		advice:
			"Correct the field that the service names, or add it with 'Extra Fields'. If it names none and 'Language' is empty, enter a code such as 'en': it is not documented",
	},
	{
		what: 'of a documented operation',
		status: 422,
		advice: 'Correct the field that the service names, or add it',
	},
	{
		what: 'of an undocumented operation',
		status: 400,
		advice:
			"If the service names a field, correct it. Otherwise try another 'Input Type', or ask your provider what /ai/amd expects",
		details: undocumented,
	},
	{
		what: 'of an undocumented operation',
		status: 422,
		advice: 'If the service names a field, correct it.',
		details: undocumented,
	},
	{
		what: 'that refuses the key',
		status: 401,
		advice:
			'The key may be mistyped or revoked. Copy it again from the console (https://console.example.com)',
	},
	{
		what: 'of a sandbox key',
		status: 402,
		advice:
			'Keys that start with eak_test_ debit this wallet. Ask your provider how to add credits to it, or look in the console (https://console.example.com). Then send again what failed.',
	},
	{
		what: 'of a live key',
		status: 402,
		advice:
			'Keys that start with eak_live_ debit this wallet. Ask your provider how to add credits to it',
		details: live,
	},
	{
		what: 'of a documented operation',
		status: 403,
		advice:
			"The key needs the scope 'speech-to-text'. The key must also have been created for this service: a key works with one product of the provider only. Create such a key",
	},
	{
		what: 'of an undocumented operation',
		status: 403,
		advice: "The key needs the scope 'amd'. The key must also have been created for this service",
		details: undocumented,
	},
	{
		what: 'of an operation whose scope is not documented',
		status: 403,
		advice: 'Ask your provider which scope /ai/voice-clone needs: it is not documented.',
		details: clone,
	},
	{
		what: 'of a call without a voice',
		status: 404,
		advice: `Check the credential's 'Base URL'. The request went to '${baseUrl}/ai/speech-to-text'.`,
	},
	{
		what: 'of a call with a voice',
		status: 404,
		advice:
			"Check 'Voice ID', which is 'vc_1': it must be the voice_id that Clone returned, not the voice's name. Then",
		details: { ...speak, voiceId: 'vc_1' },
	},
	{
		what: 'of a host named like a path',
		status: 404,
		advice: "Check the credential's 'Base URL'.",
		details: { baseUrl: 'https://ai' },
	},
	{
		what: 'of a base URL that ends in /ai',
		status: 404,
		advice: "Remove '/ai' from the end of the credential's 'Base URL': the node",
		details: { baseUrl: ai },
	},
	{
		what: 'of a base URL that ends in the path of an operation',
		status: 404,
		advice: "Remove '/ai/amd' from the end of the credential's",
		details: { baseUrl: `${ai}/amd` },
	},
	{
		what: 'of another server',
		status: 405,
		advice: "The credential's 'Base URL' probably leads to another server or path.",
	},
	{
		what: 'of a proxy',
		status: 407,
		advice: "Put the user name and password into 'Proxy' in the request options",
	},
	{ what: 'after a slow request', status: 408, advice: 'Check the network, then try again.' },
	{
		what: 'of a recording',
		status: 413,
		advice:
			'Save the recording as MP3 with 64 kbit/s and one channel. If that is still too large, cut it into parts.',
	},
	{ what: 'of a text', status: 413, advice: 'Send a shorter text, or split it.', details: speak },
	{
		what: 'of an undocumented operation',
		status: 413,
		advice: 'Send a shorter text. Or save the recording as MP3 with 64 kbit/s and one channel: if',
		details: undocumented,
	},
	{
		what: 'of a recording',
		status: 415,
		advice: `Convert the recording to ${acceptedFormatsText}.`,
	},
	{
		what: 'of a text',
		status: 415,
		advice: 'Ask your provider which content type',
		details: speak,
	},
	{
		what: 'of an undocumented operation',
		status: 415,
		advice: "Try another 'Input Type'",
		details: undocumented,
	},
	{
		what: 'without a meaning of its own',
		status: 418,
		advice: 'Ask your provider what status 418 means.',
	},
	{
		what: 'without Retry-After',
		status: 429,
		advice: "Try again later. Lower the option 'Concurrency'",
	},
	{
		what: 'with Retry-After',
		status: 429,
		advice: 'Try again later. The service asks to wait 7 seconds. Lower the option',
		more: { retryAfter: 6.2 },
	},
	{
		what: 'with a Retry-After of zero',
		status: 429,
		advice: "Try again later. Lower the option 'Concurrency'",
		more: { retryAfter: 0 },
	},
	{
		what: 'of a recording',
		status: 504,
		advice: 'Send a shorter or smaller recording. Or ask your',
	},
	{ what: 'of a text', status: 524, advice: 'Send a shorter text. Or ask your', details: speak },
	{
		what: 'of an undocumented operation',
		status: 504,
		advice: 'recording, or a shorter text. Or ask your provider how long the proxy waits.',
		details: undocumented,
	},
	{
		what: 'with Retry-After',
		status: 504,
		advice: 'how long the proxy waits. The service asks to wait 60 seconds.',
		more: { retryAfter: 60 },
	},
	{ what: 'without Retry-After', status: 500, advice: 'Try again later.' },
	{
		what: 'with Retry-After',
		status: 503,
		advice: 'Try again later. The service asks to wait 60 seconds.',
		more: { retryAfter: 60 },
	},
])('advises what to do about a response $status $what', (row) => {
	const { status, advice, details = {}, more = {} } = row;
	const { description } = createError({ status, ...more }, details);
	expect(description).toContain(advice);
});

it.each([400, 415, 422])('says of %i that the format of the file was not recognized', (status) => {
	const { description } = createError({ status }, { isUnrecognized: true });
	expect(description).toMatch(
		/^The node did not recognize the file's format: check whether it plays\. (Correct|Convert)/,
	);
	expect(createError({ status }).description).not.toContain('recognize');
	expect(createError({ status: 413 }, { isUnrecognized: true }).description).not.toContain(
		'recognize',
	);
});
