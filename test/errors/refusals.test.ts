import type { INodeParameters } from 'n8n-workflow';

import { speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes, json, type Answer } from '../support/scriptedServer';
import { expectNoKey, liveKey, secretKey } from '../support/secret';

// What each status means, and what to do about it: test/errors/httpError.test.ts. Bodies: test/errors/sentence.test.ts,
// encoded: test/response/encodings.test.ts.

const node = useNode();

async function refused(answer: Answer, parameters: INodeParameters = speechToText, live = false) {
	node.service.answer = answer;
	const environment = live ? 'live' : 'sandbox';
	const credential = { apiKey: live ? liveKey : secretKey, environment };
	// What is sent again, and when, is tested elsewhere.
	const once = { ...parameters, options: { rateLimitRetries: 0 } };
	const { error, items, run } = await node.run(once, { credential });
	expect(items).toEqual([]);
	expect(node.service.arrived).toBe(1);
	expectNoKey(run);
	return error!;
}

const inJson = '{"message":"Too short."}';

it.each([
	['JSON without a type', inJson, undefined],
	['JSON declared as HTML', inJson, 'text/html'],
	['text', 'Too short.', 'text/plain'],
	['HTML', '<title>402</title><h1>Too short.</h1>nginx', 'text/html; charset=utf-8'],
])("the service's own words arrive as %s", async (_what, body, type) => {
	const error = await refused(bytes(body, type, 400));
	expect(error.message).toBe('The service did not accept the request (400): Too short.');
	expect(error).toMatchObject({ httpCode: '400', errorResponse: { httpCode: '400' } });
});

const retryAt = {
	'Retry-After': 'Fri, 02 Jan 2026 00:01:00 GMT',
	Date: 'Fri, 02 Jan 2026 00:00:00 GMT',
};

it.each<[what: string, Answer, says: string, INodeParameters?, isLive?: boolean]>([
	['wallet', json({}, 402), 'eak_live_ debit the live wallet', speechToText, true],
	['voice', json({}, 404), "'Voice ID', which is 'vc_1'", speak],
	['operation', json({}, 403), "the scope 'amd'", undocumented],
	['time to wait', json({}, 429, { 'Retry-After': '0.5' }), 'asks to wait 1 seconds.'],
	['date to wait for', json({}, 503, retryAt), 'The service asks to wait 60 seconds.'],
	['other address', json({}, 307, { Location: '/b' }), "along a redirect to '/b'."],
])('the advice names the %s', async (...row) => {
	const [, answer, says, parameters, isLive] = row;
	expect((await refused(answer, parameters, isLive)).description).toContain(says);
});
