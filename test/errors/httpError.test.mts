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

const speak = { endpoint: textToSpeech.endpoint };
const clone = { endpoint: cloneOperation.endpoint };
const undocumented = { endpoint: detectAnsweringMachine.endpoint };
const withVoice = { ...speak, voiceId: 'vc_1' };
const base = (path: string) => ({ baseUrl: `${baseUrl}${path}` });

it.each<[statuses: number[], what: string]>([
	[[302], 'The service redirects to another address'],
	[[0, 304, 418, 600], 'The service responded with an unexpected status'],
	[[400, 422], 'The service did not accept the request'],
	[[401], 'The service does not accept the API key'],
	[[402], 'Not enough credits in the sandbox wallet?'],
	[[403], 'The API key probably lacks a scope, or is for another product'],
	[[404], 'Not found: /ai/speech-to-text'],
	[[405], 'This address does not accept calls'],
	[[407], 'The proxy requires a login'],
	[[408], 'The service stopped waiting for the request'],
	[[413], 'The request is too large for the service'],
	[[415], 'The service does not accept this format'],
	[[429], 'The service is receiving too many requests'],
	[[500, 519, 528, 599], 'The service failed'],
	[[504, 522, 524], 'A proxy in front of the service stopped waiting'],
	[[520, 527], 'A proxy in front of the service got no usable response from it'],
])('reports a response %j as "%s"', (statuses, what) => {
	for (const status of statuses) {
		const error = createError({ status });
		expect(error).toBeInstanceOf(CallError);
		expect(error).toMatchObject({ message: `${what} (${status})`, status });
		expect(createError({ status, sentence: 'No.' }).message).toBe(`${what} (${status}): No.`);
	}
});

it('names the proxy as the possible sender of a response, but for a login to it', () => {
	const sentence = / The proxy of 'Proxy' in the request options may have sent this response\.$/;
	expect(createError({ status: 502 }, { hasProxy: true }).description).toMatch(sentence);
	expect(createError({ status: 502 }, { hasProxy: false }).description).not.toMatch(sentence);
	expect(createError({ status: 407 }, { hasProxy: true }).description).not.toMatch(sentence);
});

it.each([
	{ waitedSeconds: 0.2, wait: 'less than a second' },
	{ waitedSeconds: 59.96, wait: '60 seconds' },
])('says that a proxy waited for $wait', ({ waitedSeconds, wait }) => {
	expect(createError({ status: 524, waitedSeconds }).message).toBe(
		`A proxy in front of the service stopped waiting after ${wait} (524)`,
	);
});

// test/service/statusMeaning.test.mts has a row for each status.
it('an HTTP error has the debit status that getDebit returns', () => {
	for (const retryAfter of [undefined, 0]) {
		expect(createError({ status: 503, retryAfter }).debit).toBe(getDebit(503, retryAfter));
	}
});

describe('a 404 of a call with a voice', () => {
	const withName = { ...speak, voiceId: 'Anna' };

	it.each(['Voice not found', 'body.voiceId: unknown', 'No vc_1 here'])(
		'is about the voice if the service says "%s"',
		(sentence) => {
			const { message, description } = createError({ status: 404, sentence }, withName);
			expect(message).toBe(`Voice not found (404): ${sentence}`);
			expect(description).toBe(
				"'Voice ID' is 'Anna'. Enter the voice_id that Clone returned, not the voice's name.",
			);
		},
	);

	it('may be about the key if the voice has an ID', () => {
		const { description } = createError({ status: 404, sentence: 'Voice not found' }, withVoice);
		expect(description).toMatch(
			/^'Voice ID' is 'vc_1'\. .* If Clone used a live key: .* sandbox keys/,
		);
	});

	it.each<Partial<ErrorResponse>>([
		{ sentence: '' },
		{ sentence: 'Not Found' },
		{ sentence: 'Cannot POST /voice/ai/text-to-speech' },
		{ sentence: 'Voice and Speech: page not found', isPage: true },
	])('may be about the address too if the service says "$sentence"', (response) => {
		const { message, description } = createError({ status: 404, ...response }, withName);
		expect(message).toMatch(/^Voice or address not found \(404\)/);
		expect(description).toContain("Then check the credential's 'Base URL'. The request went to");
	});

	it('is about the voice although the base URL ends in a path of the service', () => {
		const { message, description } = createError(
			{ status: 404, sentence: 'Unknown voice_id.' },
			{ ...withName, baseUrl: `${baseUrl}/ai` },
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

type Row = [
	status: number,
	advice: string,
	details?: Partial<CallDetails>,
	response?: Partial<ErrorResponse>,
];

it.each<Row>([
	[302, 'never sent along a redirect. If the service has moved', {}, { location: '' }],
	[302, "never sent along a redirect to '/x'.", {}, { location: '/x' }],
	[304, 'Ask your provider what status 304 means.', {}, { location: '/x' }],
	[400, "Correct the field that the service names, or add it with 'Extra Fields'. If it"],
	[422, "the service names, or add it with 'Extra Fields'.", speak],
	[400, "try another 'Input Type', or ask your provider what /ai/amd expects", undocumented],
	[401, `Copy it again from ${consoleLabel}`],
	[402, `eak_test_ debit this wallet. Ask your provider how to add credits`],
	[402, 'eak_live_ debit this wallet.', { environment: 'live' }],
	[403, "The key needs the scope 'speech-to-text'. The key must also"],
	[403, 'Ask your provider which scope /ai/voice-clone needs', clone],
	[404, `Check the credential's 'Base URL'. The request went to '${baseUrl}/ai/speech-to-text'.`],
	[404, "Check 'Voice ID', which is 'vc_1': it must be the voice_id", withVoice],
	[404, "Check the credential's 'Base URL'.", { baseUrl: 'https://ai' }],
	[404, "Remove '/ai/amd' from the end of the credential's 'Base URL'", base('/v1/ai/amd')],
	[405, "The credential's 'Base URL' probably leads to another server or path. Check the"],
	[407, "Put the user name and password into 'Proxy' in the request options"],
	[408, 'Check the network, then try again.'],
	[413, "Split the recording into parts first (resource 'Recording', operation 'Split')"],
	[413, 'Send a shorter text, or split it.', speak],
	[413, 'Send a shorter text. Or split the recording into parts', undocumented],
	[415, `Convert the recording to ${acceptedFormatsText}.`],
	[415, 'Ask your provider which content type', speak],
	[415, "Try another 'Input Type'", undocumented],
	[418, 'Ask your provider what status 418 means.'],
	[429, "Try again later. Lower the option 'Concurrency'", {}, { retryAfter: 0 }],
	[429, 'The service asks to wait 7 seconds. Lower', {}, { retryAfter: 6.2 }],
	[504, "split it into parts first (resource 'Recording', operation 'Split'). Or ask"],
	[524, 'Send a shorter text. Or ask your', speak],
	[504, "(resource 'Recording', operation 'Split'). Or ask your provider", undocumented],
	[504, 'how long the proxy waits. The service asks to wait 60', {}, { retryAfter: 60 }],
	[503, 'Try again later. The service asks to wait 60 seconds.', {}, { retryAfter: 60 }],
	[520, 'Try again later, or ask your provider. The service asks', {}, { retryAfter: 60 }],
])('advises on a response %i: %s', (status, advice, details = {}, response = {}) => {
	expect(createError({ status, ...response }, details).description).toContain(advice);
});

it('asks for a language only where a transcript is returned', () => {
	expect(createError({ status: 422 }).description).toContain("'Language' is empty");
	expect(createError({ status: 422 }, speak).description).not.toContain("'Language' is empty");
});

it('cuts a long Location', () => {
	const location = `/${'x'.repeat(6_000)}`;
	const cut = `'${location.slice(0, maxQuoteLength)}…'`;
	expect(createError({ status: 302, location }).description).toContain(cut);
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
