import '../support/n8nFolder.mts';

import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { stringify } from 'flatted';
import type { INodeParameters } from 'n8n-workflow';
import { Writable } from 'node:stream';

import { maxQuoteLength, maxSentenceLength } from '../../nodes/VoiceSpeech/limits.ts';
import { onErrorSettings, createRange } from '../support/calls.mts';
import { useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import { rawSamples, createWav } from '../support/media/recordings.mts';
import {
	respondWithBytes,
	respondInTurn,
	respondWithJson,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { expectNoKey, findKeyPieces, secretKey } from '../support/secret.mts';

/** The logger of winston that n8n uses. A transport is a stream of entries with a method `log`. */
interface InternalLogger {
	silent: boolean;
	add(transport: Writable): void;
	remove(transport: Writable): void;
}

/**
 * Turns n8n's log on for the tests of a file, with all its details, and returns the entries of a test. No test may end with
 * a part of the key in them.
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

const node = useNode();
const log = useLog();

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

describe.each<{ operation: string; parameters: INodeParameters }>([
	{ operation: 'speech to text', parameters: speechToTextParameters },
	{ operation: 'text to speech', parameters: textToSpeechParameters },
	{ operation: 'an undocumented operation', parameters: undocumentedParameters },
])('the key in a response of $operation', ({ parameters }) => {
	// test/credentials/maskApiKey.test.mts has all ways to quote a key.
	it.each([
		{ how: 'of the entire key', quote: `the key ${secretKey} is` },
		{ how: 'where a long sentence is cut', quote: endWithKey(maxSentenceLength) },
		{ how: 'where the beginning of a response is cut', quote: endWithKey(maxQuoteLength) },
	])('is masked in a quote $how', async ({ quote }) => {
		const responses = createResponses(quote);
		node.service.respond = respondInTurn(...responses);
		const output = await node.run(
			{ ...parameters, options: { rateLimitRetries: 0, concurrency: 1 } },
			{
				credential: { apiKey: secretKey },
				items: await node.createItemsWithFile(
					...createRange(responses.length).map((id) => ({ id })),
				),
				node: onErrorSettings.Continue,
			},
		);
		expect(output.items).toHaveLength(responses.length);
		expect(node.service.requests).toHaveLength(responses.length);
		expectNoKey(output.run);
	});
});

it("masks the key in n8n's log, which has the error of the node", async () => {
	node.service.respond = respondWithJson({ message: `the key ${secretKey} is` }, 401);
	// White space around the key is not sent.
	await node.run(textToSpeechParameters, { credential: { apiKey: ` ${secretKey}\n` } });
	expect(node.service.requests[0]?.headers['x-api-key']).toBe(secretKey);
	const text = log.join('\n');
	expect(text).toContain('Start executing node');
	expect(text).toContain('finished with error');
	expect(text).toContain('the key eak_test_*** is');
});
