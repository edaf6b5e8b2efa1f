import '../support/n8nFolder.mts';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { stringify } from 'flatted';
import type { INodeParameters } from 'n8n-workflow';
import { Writable } from 'node:stream';

import { maxQuoteLength, maxSentenceLength } from '../../nodes/VoiceSpeech/limits.ts';
import { onErrorSettings, createRange } from '../support/calls.mts';
import { rawSamples, createWav } from '../support/media/recordings.mts';
import { useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { readErrorText } from '../support/outcome.mts';
import { expectNoKey, liveKey, secretKey, findKeyPieces } from '../support/secret.mts';
import {
	respondWithBytes,
	respondWithJson,
	type Responder,
	respondInTurn,
	ScriptedServer,
} from '../support/servers/scriptedServer.mts';

// test/errors/httpError tests what each status means and what to do about it, test/errors/quote bodies, and
// test/engine/responses their encodings.

const node = useNode();

async function runRefused(
	respond: Responder,
	parameters: INodeParameters = speechToTextParameters,
	live = false,
) {
	node.service.respond = respond;
	const environment = live ? 'live' : 'sandbox';
	const credential = { apiKey: live ? liveKey : secretKey, environment };
	// test/call/backoff.test.mts tests which calls are retried.
	const once = { ...parameters, options: { rateLimitRetries: 0 } };
	const { error, items, run } = await node.run(once, { credential });
	expect(items).toEqual([]);
	expect(node.service.requestCount).toBe(1);
	expectNoKey(run);
	return error!;
}

it("shows the service's own words", async () => {
	const error = await runRefused(respondWithBytes('<h1>Too short.</h1>nginx', 'text/html', 400));
	expect(error.message).toMatch(/\(400\): Too short\.$/);
	expect(error).toMatchObject({ httpCode: '400', errorResponse: { httpCode: '400' } });
});

const retryAt = {
	'Retry-After': 'Fri, 02 Jan 2026 00:01:00 GMT',
	Date: 'Fri, 02 Jan 2026 00:00:00 GMT',
};

it.each<
	[what: string, respond: Responder, says: string, parameters?: INodeParameters, isLive?: boolean]
>([
	['wallet', respondWithJson({}, 402), 'eak_live_', speechToTextParameters, true],
	['voice', respondWithJson({}, 404), "'Voice ID', which is 'vc_1'", textToSpeechParameters],
	['operation', respondWithJson({}, 403), "the scope 'amd'", undocumentedParameters],
	['date to wait for', respondWithJson({}, 503, retryAt), 'The service asks to wait 60 seconds.'],
])('names the %s in the advice', async (_, respond, says, ...call) => {
	expect((await runRefused(respond, ...call)).description).toContain(says);
});

it('says how long a proxy in front of the service waited', async () => {
	let now = performance.now();
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
	const error = await runRefused((...call) => {
		now += 60_400;
		respondWithJson({}, 504)(...call);
	});
	clock.mockRestore();
	expect(error.message).toMatch(/^A proxy in front .* stopped waiting after 60 seconds \(504\)/);
});

it('records a failure whose text contains "canceled" as a failure', async () => {
	node.service.respond = respondWithJson({ message: 'Your plan was canceled' }, 403);
	const { status, error } = await node.run(speechToTextParameters);
	expect(error?.message).toMatch(/\(403\): Your plan was cancelled$/);
	expect(status).toBe('error');
});

it("keeps markup of the service out of n8n's editor, and the statement about the debit", async () => {
	node.service.respond = respondWithJson(
		{ message: 'See <a href="https://evil.example/">here</a><!--' },
		400,
	);
	const { error } = await node.run(speechToTextParameters);
	expect(error?.message).toContain('See ‹a href="https://evil.example/"›here‹/a›‹!--');
	expect(`${error?.message}${error?.description}`).not.toMatch(/[<>]/);
	expect(error?.description).toContain('The call was refused.');
});

/** The logger of winston that n8n uses. A transport is a stream of entries with a method `log`. */
interface InternalLogger {
	silent: boolean;
	add(transport: Writable): void;
	remove(transport: Writable): void;
}

/**
 * Turns n8n's log on for the tests of a describe, with all its details, and returns the entries of a test. No test may end
 * with a part of the key in them.
 */
function useLog(): string[] {
	const { internalLogger } = Container.get(Logger) as unknown as { internalLogger: InternalLogger };
	const entries: string[] = [];
	const write = (entry: unknown, _encoding: string, done: () => void) => {
		entries.push(stringify(entry));
		done();
	};
	const transport = Object.assign(new Writable({ objectMode: true, write }), { log() {} });
	beforeAll(() => {
		internalLogger.silent = false;
		internalLogger.add(transport);
	});
	beforeEach(() => {
		entries.length = 0;
	});
	afterEach(() => expect(findKeyPieces(entries.join('\n'))).toEqual([]));
	afterAll(() => {
		internalLogger.silent = true;
		internalLogger.remove(transport);
	});
	return entries;
}

/** Audio, and headers that quote the key. */
const respondWithQuote =
	(quote: string, type: string): Responder =>
	(_request, response) => {
		const disposition = `attachment; filename="${quote}.wav"`;
		response.writeHead(200, { 'Content-Type': type, 'Content-Disposition': disposition });
		response.end(type.startsWith('audio/wav') ? createWav() : rawSamples);
	};

/** A text that ends with the key. A quote of this many characters contains all of it but its last character. */
const endWithKey = (quoteLength: number) =>
	`${'x'.repeat(quoteLength - secretKey.length)} ${secretKey}`;

/** Responses that quote the key. */
const createResponses = (quote: string): Responder[] => [
	respondWithJson({ error: { message: quote } }, 403),
	respondWithJson({ errors: { [quote]: [quote] } }, 500),
	respondWithBytes(`<h1>${quote}</h1>`, 'text/html', 502),
	respondWithJson({}, 302, { Location: `/${quote}`, 'Retry-After': quote, 'X-Key': quote }),
	respondWithJson({}, 429, { 'WWW-Authenticate': quote, 'Content-Type': quote }),
	respondWithJson({ text: quote, [quote]: [{ deep: quote }] }),
	respondWithJson(quote),
	respondWithBytes(quote, 'text/plain'),
	respondWithBytes(`{"text": "${quote}`, 'application/json'),
	respondWithBytes(`<html>${quote}`, 'audio/wav'),
	respondWithBytes('', `audio/wav; x="${quote}"`),
	respondWithJson({}, 200, { 'Content-Encoding': `zstd; x=${quote}` }),
	respondWithQuote(quote, `audio/wav; x=${quote}`),
	respondWithQuote(quote, `audio/l16; x=${quote}`),
	respondWithQuote(quote, `audio/${quote}`),
	// A 401 refuses the key, so that no later item with it is sent. Therefore this one is the last.
	respondWithJson({ message: quote }, 401),
];

describe('the key', () => {
	const log = useLog();

	// test/credentials/maskApiKey.test.mts has all ways to quote a key.
	it.each<[how: string, quote: string, parameters: INodeParameters]>([
		['of an operation that returns JSON', `the key ${secretKey} is`, speechToTextParameters],
		['of one that returns audio', `the key ${secretKey} is`, textToSpeechParameters],
		['of one that returns anything', `the key ${secretKey} is`, undocumentedParameters],
		['that is cut as a sentence', endWithKey(maxSentenceLength), speechToTextParameters],
		['that is cut at its beginning', endWithKey(maxQuoteLength), textToSpeechParameters],
	])('is masked in a response %s', async (_, quote, parameters) => {
		const responses = createResponses(quote);
		node.service.respond = respondInTurn(...responses);
		const items = createRange(responses.length).map((id) => ({ id }));
		const output = await node.run(
			{ ...parameters, options: { rateLimitRetries: 0, concurrency: 1 } },
			{
				credential: { apiKey: secretKey },
				items: await node.createItemsWithFile(...items),
				node: onErrorSettings.Continue,
			},
		);
		expect(output.items).toHaveLength(responses.length);
		expect(node.service.requests).toHaveLength(responses.length);
		expectNoKey(output.run);
	});

	it("is masked in n8n's log, which has the error of the node", async () => {
		node.service.respond = respondWithJson({ message: `the key ${secretKey} is` }, 401);
		// White space around the key is not sent.
		await node.run(textToSpeechParameters, { credential: { apiKey: ` ${secretKey}\n` } });
		expect(node.service.requests[0]?.headers['x-api-key']).toBe(secretKey);
		const text = log.join('\n');
		expect(text).toContain('Start executing node');
		expect(text).toContain('finished with error');
		expect(text).toContain('the key eak_test_*** is');
	});
});

// The tests in test/credentials have all keys and base URLs that are refused.
describe('the credential', () => {
	it('fails the item before anything is sent if it is not valid', async () => {
		// The recorder is the proxy for all hosts, so any request would arrive there.
		const proxied = { ...speechToTextParameters, requestOptions: { proxy: node.service.baseUrl } };
		const credential = { baseUrl: 'http://voice.example.com/api' };
		expect(await node.runUnsent(proxied, { credential })).toEqual({
			message:
				"The 'Base URL' of the credential 'Test' would send the key unencrypted to the public host 'voice.example.com'",
			description:
				"Use 'https://'. Plain 'http://' is only for hosts of your own network. This item was not sent, so it was not debited.",
		});
	});

	it('accepts white space, capitals and a path of the service in the base URL', async () => {
		const proxied = { ...speechToTextParameters, requestOptions: { proxy: node.service.baseUrl } };
		const credential = { baseUrl: ' HTTP://Voice.Internal/a/AI//\n' };
		const { request } = await node.runOnce(proxied, { credential });
		expect(request.url).toBe('http://voice.internal/a/AI/ai/speech-to-text');
	});
});

const elsewhere = ScriptedServer.use();

// test/credentials tests the redirects of other nodes.
it('does not follow a redirect', async () => {
	const location = `${elsewhere.baseUrl}/ai/elsewhere`;
	node.service.respond = respondWithJson({}, 308, { Location: location });
	const { error, items } = await node.run(speechToTextParameters);
	expect(items).toEqual([]);
	expect(error?.message).toContain('(308)');
	expect(error?.description).toContain(`to '${location}'. If the service has moved`);
	expect(node.service.requestCount).toBe(1);
	expect(elsewhere.requestCount).toBe(0);
});

it.each(['eak_test_wire', 'sk-1'])(
	'shows no key or markup in the name of the credential, in an error about the key %s',
	async (apiKey) => {
		node.service.respond = respondWithJson({}, 401);
		const credentials = { voiceSpeechApi: { id: '1', name: '<b>eak_test_wire</b>' } };
		const output = await node.run(speechToTextParameters, {
			credential: { apiKey },
			node: { credentials },
		});
		expect(readErrorText(output)).toContain("the credential '‹b›eak_test_***‹/b›'");
	},
);
