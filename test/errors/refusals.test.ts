import type { INodeParameters } from 'n8n-workflow';

import { speak, speechToText, undocumented, useNode } from '../support/node';
import { json } from '../support/scriptedServer';
import { refusals, sentence } from '../support/refusals';
import { expectNoKey, liveKey, secretKey } from '../support/secret';

const node = useNode();

const statuses = [302, 400, 401, 402, 403, 404, 405, 413, 415, 422, 429, 500, 502, 503, 504];

const clone = { resource: 'voice', operation: 'clone', voiceName: 'Anna' };

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

	it.each(['', '   \n', '{}', '[]', 'null', 'true', '""', '{"errors":[]}', '<html></html>'])(
		'or none at all: %j',
		async (body) => {
			node.service.answer = (_request, response) => {
				response.writeHead(422, { 'Content-Type': 'application/json' });
				response.end(body);
			};
			const { message } = await refused(parameters);
			expect(message).toMatch(/\(422\)(: \{"errors":\[\]\})?$/);
		},
	);
});

interface Advice {
	status: number;
	/** What to do next, for each operation. */
	next: string;
	parameters?: INodeParameters;
	apiKey?: string;
	headers?: Record<string, string>;
}

const maybePaid = 'The call may have been debited';

const advices: Advice[] = [
	{ status: 302, next: "put the new address into the credential's 'Base URL'" },
	{ status: 400, next: "add it with 'Extra Fields'" },
	{ status: 422, next: 'Correct the field that the service names' },
	{ status: 401, next: "mistyped or revoked. Copy it again from the service's console" },
	{ status: 402, next: 'Keys that start with eak_test_ debit the sandbox wallet: top it up' },
	{
		status: 402,
		apiKey: liveKey,
		next: 'Keys that start with eak_live_ debit the live wallet: top it up',
	},
	{
		status: 403,
		next: "needs a key of this product with the scope 'speech-to-text'. Create a key",
	},
	{
		status: 403,
		parameters: speak,
		next: "needs a key of this product with the scope 'text-to-speech'",
	},
	{
		status: 403,
		parameters: undocumented,
		next: "needs a key of this product with the scope 'amd'",
	},
	{ status: 403, parameters: clone, next: 'which scope /ai/voice-clone needs' },
	{ status: 404, next: "Check the credential's 'Base URL'." },
	{
		status: 404,
		parameters: speak,
		next: "Check 'Voice ID', which is 'vc_1', and the credential's 'Base URL'.",
	},
	{ status: 404, parameters: clone, next: "Check the credential's 'Base URL'." },
	{ status: 405, next: "Check the credential's 'Base URL'." },
	{ status: 407, next: "Put the user name and password into 'Proxy' in the request options" },
	{ status: 408, next: 'Check the network, then try again.' },
	{ status: 413, next: 'Send a shorter or compressed recording (MP3 or M4A), or split it.' },
	{ status: 413, parameters: speak, next: 'Send a shorter text, or split it.' },
	{
		status: 413,
		parameters: undocumented,
		next: 'compressed recording (MP3 or M4A), or a shorter text',
	},
	{ status: 415, next: 'Convert the recording to WAV, MP3, M4A or FLAC.' },
	{ status: 415, parameters: speak, next: 'Ask your provider which content type' },
	{ status: 415, parameters: undocumented, next: "Try another 'Input Type'" },
	{
		status: 429,
		next: "Try again later. Lower the option 'Concurrency'",
	},
	{ status: 429, headers: { 'Retry-After': '7' }, next: 'The service asks to wait 7 seconds.' },
	{ status: 429, headers: { 'Retry-After': '0.5' }, next: 'The service asks to wait 1 seconds.' },
	{
		status: 503,
		headers: {
			'Retry-After': 'Fri, 02 Jan 2026 00:01:00 GMT',
			Date: 'Fri, 02 Jan 2026 00:00:00 GMT',
		},
		next: 'Try again later. The service asks to wait 60 seconds.',
	},
	...[500, 502, 503, 504].map((status) => ({ status, next: maybePaid })),
	{ status: 418, next: 'Ask your provider what status 418 means.' },
	{ status: 511, next: maybePaid },
];

describe('what to do next stands beside it', () => {
	it.each(advices)('$status: $next', async ({ status, next, parameters, apiKey, headers }) => {
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

	it.each(['ENOENT: preexisting voice', 'upstream: connect ECONNREFUSED', 'getaddrinfo'])(
		'and n8n puts no sentence of its own in place of: %s',
		async (words) => {
			node.service.answer = json({ message: words }, 500);
			const { message } = await refused(speechToText);
			expect(message).toBe(`The service failed (500): ${words}`);
		},
	);

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
