/** @jest-environment node */
// First, because n8n reads where to log when it is loaded.
import { logText } from '../support/log';

import type { INodeParameters } from 'n8n-workflow';

import { modes } from '../support/calls';
import { speak, speechToText, undocumented, useNode, type Scene } from '../support/node';
import { bytes, json, type Answer } from '../support/scriptedServer';
import { wav } from '../support/recordings';
import { refusals, sentence } from '../support/refusals';
import { expectNoKey, piecesIn, secretKey } from '../support/secret';

const node = useNode();

const pcm = Buffer.from(Array.from({ length: 900 }, (_, at) => (at * 7) % 251));

/** How a service may quote the key: all of it, or some (test/credentials/maskApiKey.test.ts has all ways). */
const quotes: Array<[string, string]> = [
	['whole', `the key ${secretKey} is`],
	['its end', `the key ...${secretKey.slice(-9)} is`],
	['where a long sentence is cut', `${'x'.repeat(488)} ${secretKey}`],
	['where the beginning of an answer is cut', `${'x'.repeat(187)} ${secretKey}`],
];

async function run(parameters: INodeParameters, answer: Answer, scene: Scene = {}) {
	node.service.reset(answer);
	const options = { rateLimitRetries: 0 };
	const credential = { apiKey: secretKey };
	const output = await node.run({ ...parameters, options }, { credential, ...scene });
	expect(node.service.requests[0]?.headers['x-api-key']).toBe(secretKey);
	expectNoKey(output.run);
	return output;
}

const operations: Array<[string, INodeParameters]> = [
	['speech to text', speechToText],
	['text to speech', speak],
	['an undocumented operation', undocumented],
];

it('the key does not come back where the credential has white space around it', async () => {
	node.service.reset(json({ message: `the key ${secretKey} is` }, 401));
	const output = await node.run(speak, { credential: { apiKey: ` ${secretKey}\n` } });
	expect(node.service.requests[0]?.headers['x-api-key']).toBe(secretKey);
	expect(output.error?.message).toContain('the key');
	expectNoKey(output.run);
});

it.each(Object.entries(modes))(
	'the key does not come back in a refusal of any shape, mode %s',
	async (_mode, settings) => {
		for (const { body, headers } of refusals) {
			const told = String(body).replace(sentence, `the key ${secretKey} is`);
			await run(undocumented, bytes(told, headers['Content-Type'], 400), { node: settings });
		}
	},
);

describe.each(operations)('the key does not come back from %s', (_operation, parameters) => {
	describe.each(quotes)('quoted: %s', (_how, quote) => {
		it('in a refusal', async () => {
			await run(parameters, json({ error: { message: quote } }, 401));
			await run(parameters, json({ errors: { [quote]: [quote] } }, 500));
			await run(parameters, bytes(`<h1>${quote}</h1>`, 'text/html', 502));
		});

		it('in the headers of a refusal', async () => {
			const headers = { Location: `/${quote}`, 'Retry-After': quote, 'X-Key': quote };
			await run(parameters, json({}, 302, headers));
			await run(parameters, json({}, 429, { 'WWW-Authenticate': quote, 'Content-Type': quote }));
		});

		it('in a success', async () => {
			await run(parameters, json({ text: quote, [quote]: [{ deep: quote }] }));
			await run(parameters, json(quote));
			await run(parameters, bytes(quote, 'text/plain'));
			await run(parameters, bytes(`{"text": "${quote}`, 'application/json'));
			await run(parameters, bytes(`<html>${quote}`, 'audio/wav'));
			await run(parameters, bytes('', `audio/wav; x="${quote}"`));
		});

		it('in what audio is called', async () => {
			const disposition = { 'Content-Disposition': `attachment; filename="${quote}.wav"` };
			for (const type of [`audio/wav; x=${quote}`, `audio/l16; x=${quote}`, `audio/${quote}`]) {
				await run(parameters, (_request, response) => {
					response.writeHead(200, { 'Content-Type': type, ...disposition });
					response.end(type.startsWith('audio/wav') ? wav() : pcm);
				});
			}
		});
	});
});

it("nor does it stand in n8n's log", async () => {
	const log = await logText();
	expect(log.split('Start executing node').length).toBeGreaterThan(100);
	expect(log).toContain('finished with error');
	expect(piecesIn(log)).toEqual([]);
});
