import type { INodeParameters } from 'n8n-workflow';

import { clone, speak, speechToText, undocumented, useNode } from '../support/node';
import { json } from '../support/scriptedServer';
import { refusals, sentence } from '../support/refusals';
import { expectNoKey, liveKey, secretKey } from '../support/secret';

const node = useNode();

const statuses = [302, 400, 401, 402, 403, 404, 405, 413, 415, 422, 429, 500, 502, 503, 504];

/** One try for each call: what is sent again, and when, is tested elsewhere. */
const once = { options: { rateLimitRetries: 0 } };

async function refused(parameters: INodeParameters, apiKey = secretKey) {
	const environment = apiKey.startsWith('eak_live_') ? 'live' : 'sandbox';
	const credential = { apiKey, environment };
	const output = await node.run({ ...parameters, ...once }, { credential });
	expect(output.items).toEqual([]);
	const { message, description } = output.error ?? { message: 'none' };
	return { message, description: description ?? '', output };
}

describe.each<[string, INodeParameters]>([
	['speech to text', speechToText],
	['text to speech', speak],
])('the own words of the service arrive from %s', (_what, parameters) => {
	it.each(refusals)('as $shape, with every status', async ({ body, headers, says }) => {
		for (const status of statuses) {
			node.service.reset((_request, response) => {
				response.writeHead(status, { ...headers, Location: 'https://elsewhere.example/x' });
				response.end(body);
			});
			const { message, description, output } = await refused(parameters);
			expect(message).toContain(`(${status})`);
			expect(message.endsWith(`: ${says}`)).toBe(true);
			expect(description).not.toBe('');
			const httpCode = String(status);
			expect(output.error).toMatchObject({ httpCode, errorResponse: { message, httpCode } });
			expect(node.service.arrived).toBe(1);
			expectNoKey(output.run);
		}
	});
});

const maybePaid = 'The call may have been debited';

const retryAt = {
	'Retry-After': 'Fri, 02 Jan 2026 00:01:00 GMT',
	Date: 'Fri, 02 Jan 2026 00:00:00 GMT',
};

interface Given {
	parameters?: INodeParameters;
	apiKey?: string;
	headers?: Record<string, string>;
}

/** What to do next, by status and operation: speech to text, if nothing else is given. */
const advices: Array<[status: number, next: string, given?: Given]> = [
	[302, "put the new address into the credential's 'Base URL'"],
	[400, "add it with 'Extra Fields'"],
	[422, 'Correct the field that the service names'],
	[401, "mistyped or revoked. Copy it again from the service's console"],
	[402, 'Keys that start with eak_test_ debit the sandbox wallet: top it up'],
	[402, 'Keys that start with eak_live_ debit the live wallet: top it up', { apiKey: liveKey }],
	[403, "needs a key of this product with the scope 'speech-to-text'. Create a key"],
	[403, "a key of this product with the scope 'text-to-speech'", { parameters: speak }],
	[403, "a key of this product with the scope 'amd'", { parameters: undocumented }],
	[403, 'which scope /ai/voice-clone needs', { parameters: clone }],
	[404, "Check the credential's 'Base URL'."],
	[404, "'Voice ID', which is 'vc_1', and the credential's 'Base URL'.", { parameters: speak }],
	[404, "Check the credential's 'Base URL'.", { parameters: clone }],
	[405, "Check the credential's 'Base URL'."],
	[407, "Put the user name and password into 'Proxy' in the request options"],
	[408, 'Check the network, then try again.'],
	[413, 'Send a shorter or compressed recording (MP3 or M4A), or split it.'],
	[413, 'Send a shorter text, or split it.', { parameters: speak }],
	[413, 'compressed recording (MP3 or M4A), or a shorter text', { parameters: undocumented }],
	[415, 'Convert the recording to WAV, MP3, M4A or FLAC.'],
	[415, 'Ask your provider which content type', { parameters: speak }],
	[415, "Try another 'Input Type'", { parameters: undocumented }],
	[429, "Try again later. Lower the option 'Concurrency'"],
	[429, 'The service asks to wait 7 seconds.', { headers: { 'Retry-After': '7' } }],
	[429, 'The service asks to wait 1 seconds.', { headers: { 'Retry-After': '0.5' } }],
	[503, 'Try again later. The service asks to wait 60 seconds.', { headers: retryAt }],
	...[500, 502, 503, 504, 511].map((status): [number, string] => [status, maybePaid]),
	[418, 'Ask your provider what status 418 means.'],
];

describe('what to do next stands beside it', () => {
	it.each(advices)('%i: %s', async (status, next, { parameters, apiKey, headers } = {}) => {
		node.service.answer = json({ message: sentence }, status, headers);
		const { description } = await refused(parameters ?? speechToText, apiKey);
		expect(description).toContain(next);
		const mayHaveWorked = status < 400 || status === 408 || (status >= 500 && !headers);
		expect(description.includes(maybePaid)).toBe(mayHaveWorked);
	});

	it('and a redirect names the address that it leads to, and is not followed', async () => {
		node.service.answer = json({}, 307, { Location: 'https://elsewhere.example/x' });
		const { message, description } = await refused(speechToText);
		expect(message).toBe('The service redirects to another address (307)');
		expect(description).toContain("along a redirect to 'https://elsewhere.example/x'.");
	});

	it('and a 304 is not called a redirect', async () => {
		node.service.answer = (_request, response) => response.writeHead(304).end();
		const { message, description } = await refused(speechToText);
		expect(message).toBe('The service responded with an unexpected status (304)');
		expect(description).not.toContain('redirect');
	});

	it('under Continue in the item, beside its own fields', async () => {
		node.service.answer = json({ detail: sentence }, 402);
		const { items, run } = await node.run(
			{ ...speechToText, ...once },
			{
				credential: { apiKey: secretKey },
				json: { id: 7 },
				node: { onError: 'continueRegularOutput' },
			},
		);
		expect(items[0]?.json).toEqual({
			id: 7,
			error: {
				message: `The sandbox wallet has no credits left for this call (402): ${sentence}`,
				description:
					"Keys that start with eak_test_ debit the sandbox wallet: top it up in the service's console.",
			},
		});
		expectNoKey(run);
	});
});
