import type { INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import {
	respondWithBytes,
	respondWithJson,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { expectNoKey, liveKey, secretKey } from '../support/secret.mts';

// test/errors/httpError tests what each status means and what to do about it, test/errors/quote bodies, and
// test/engine/responseBodies their encodings.

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

it.each<{
	what: string;
	respond: Responder;
	says: string;
	parameters?: INodeParameters;
	isLive?: boolean;
}>([
	{
		what: 'wallet',
		respond: respondWithJson({}, 402),
		says: 'eak_live_',
		parameters: speechToTextParameters,
		isLive: true,
	},
	{
		what: 'voice',
		respond: respondWithJson({}, 404),
		says: "'Voice ID', which is 'vc_1'",
		parameters: textToSpeechParameters,
	},
	{
		what: 'operation',
		respond: respondWithJson({}, 403),
		says: "the scope 'amd'",
		parameters: undocumentedParameters,
	},
	{
		what: 'date to wait for',
		respond: respondWithJson({}, 503, retryAt),
		says: 'The service asks to wait 60 seconds.',
	},
	{
		what: 'other address',
		respond: respondWithJson({}, 307, { Location: '/b' }),
		says: "along a redirect to '/b'.",
	},
])('names the $what in the advice', async ({ respond, says, parameters, isLive }) => {
	expect((await runRefused(respond, parameters, isLive)).description).toContain(says);
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
