import { CallError } from '../../nodes/VoiceSpeech/errors/callError';
import {
	httpError,
	type CallFacts,
	type ErrorResponse,
} from '../../nodes/VoiceSpeech/errors/httpError';
import { cloneVoice, speechToText, textToSpeech } from '../../nodes/VoiceSpeech/resources';
import { undocumented as undocumentedOperations } from '../../nodes/VoiceSpeech/resources/undocumented';

const baseUrl = 'https://api.example.com';

const errorOf = (response: Partial<ErrorResponse>, facts: Partial<CallFacts> = {}) =>
	httpError(
		{ status: 500, sentence: '', ...response },
		{ endpoint: speechToText.endpoint, environment: 'sandbox', baseUrl, ...facts },
	);

it.each<[status: number, what: string, debit?: 'possible']>([
	[302, 'The service redirects to another address', 'possible'],
	[304, 'The service responded with an unexpected status', 'possible'],
	[400, 'The service did not accept the request'],
	[401, 'The service does not accept the API key'],
	[402, 'The sandbox wallet has no credits left for this call'],
	[403, 'The API key is not allowed to do this'],
	[404, 'Not found: /ai/speech-to-text'],
	[405, 'Not found: /ai/speech-to-text'],
	[407, 'The proxy requires a login'],
	[408, 'The service stopped waiting for the request', 'possible'],
	[413, 'The request is too large for the service'],
	[415, 'The service does not accept this format'],
	[418, 'The service responded with an unexpected status'],
	[422, 'The service did not accept the request'],
	[429, 'The service is receiving too many requests'],
	[500, 'The service failed', 'possible'],
	[503, 'The service failed', 'possible'],
	[599, 'The service failed', 'possible'],
])('status %i: %s', (status, what, payment = 'refused') => {
	const error = errorOf({ status });
	expect(error).toBeInstanceOf(CallError);
	expect(error).toMatchObject({ message: `${what} (${status})`, status, payment });
	expect(errorOf({ status, sentence: 'No.' }).message).toBe(`${what} (${status}): No.`);
});

it('a 503 with Retry-After was sent before any work', () => {
	expect(errorOf({ status: 503, retryAfter: 0 }).payment).toBe('refused');
});

const speak = { endpoint: textToSpeech.endpoint };
const clone = { endpoint: cloneVoice.endpoint };
const undocumented = { endpoint: undocumentedOperations[1]?.endpoint };
const live: Partial<CallFacts> = { environment: 'live' };
const ai = `${baseUrl}/v1/ai`;

/** The beginning of the advice. */
it.each<[status: number, advice: string, facts?: Partial<CallFacts>, more?: object]>([
	[302, 'The key is never sent along a redirect. If the service has moved, put the new address'],
	[302, "The key is never sent along a redirect to '/x'. ", {}, { location: '/x' }],
	[304, 'Ask your provider what status 304 means.', {}, { location: '/x' }],
	[400, 'Correct the field that the service names. If it needs another field, add it with'],
	[422, 'Correct the field that the service names.'],
	[401, "The key may be mistyped or revoked. Copy it again from the service's console"],
	[402, 'Keys that start with eak_test_ debit the sandbox wallet: it needs more credits'],
	[402, 'Keys that start with eak_live_ debit the live wallet: it needs more credits', live],
	[403, "This operation needs a key of this product with the scope 'speech-to-text'. Create a key"],
	[403, "This operation needs a key of this product with the scope 'amd'.", undocumented],
	[403, 'Ask your provider which scope /ai/voice-clone needs: it is not documented.', clone],
	[404, `Check the credential's 'Base URL'. The request went to '${baseUrl}/ai/speech-to-text'.`],
	[404, "Check 'Voice ID', which is 'vc_1', and the credential's", { ...speak, voiceId: 'vc_1' }],
	[404, "Check the credential's 'Base URL'. ", { baseUrl: 'https://ai' }],
	[404, "Remove '/ai' from the end of the credential's 'Base URL': the node", { baseUrl: ai }],
	[404, "Remove '/ai/amd' from the end of the credential's", { baseUrl: `${ai}/amd` }],
	[405, "Check the credential's 'Base URL'."],
	[407, "Put the user name and password into 'Proxy' in the request options"],
	[408, 'Check the network, then try again.'],
	[413, 'Send a shorter or compressed recording (MP3 or M4A), or split it.'],
	[413, 'Send a shorter text, or split it.', speak],
	[413, 'Send a shorter or compressed recording (MP3 or M4A), or a shorter text', undocumented],
	[415, 'Convert the recording to WAV, MP3, M4A or FLAC.'],
	[415, 'Ask your provider which content type', speak],
	[415, "Try another 'Input Type'", undocumented],
	[418, 'Ask your provider what status 418 means.'],
	[429, "Try again later. Lower the option 'Concurrency'"],
	[429, 'Try again later. The service asks to wait 7 seconds. ', {}, { retryAfter: 6.2 }],
	[500, 'Try again later.'],
	[503, 'Try again later. The service asks to wait 60 seconds.', {}, { retryAfter: 60 }],
])('the advice of a %i: %s', (status, advice, facts = {}, more = {}) => {
	const { description } = errorOf({ status, ...more }, facts);
	expect(description?.slice(0, advice.length)).toBe(advice);
});
