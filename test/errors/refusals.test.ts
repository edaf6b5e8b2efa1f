import type { INodeParameters } from 'n8n-workflow';

import { speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes, json, type Answer } from '../support/scriptedServer';
import { expectNoKey, liveKey, secretKey } from '../support/secret';

// What each status means, and what to do about it: test/errors/httpError.test.ts. Bodies: test/errors/sentence.test.ts.

const sentence = 'Credits are “short” on Tüesday';

const node = useNode();

/** One try for each call: what is sent again, and when, is tested elsewhere. */
const once = { options: { rateLimitRetries: 0 } };

async function refused(answer: Answer, parameters: INodeParameters = speechToText, live = false) {
	node.service.reset(answer);
	const environment = live ? 'live' : 'sandbox';
	const credential = { apiKey: live ? liveKey : secretKey, environment };
	const output = await node.run({ ...parameters, ...once }, { credential });
	expect(output.items).toEqual([]);
	expect(node.service.arrived).toBe(1);
	expectNoKey(output.run);
	return output.error!;
}

describe('the own words of the service arrive', () => {
	const inJson = JSON.stringify({ message: sentence });

	it.each([
		['JSON', inJson, 'application/problem+json'],
		['JSON without a type', inJson, undefined],
		['JSON announced as HTML', inJson, 'text/html'],
		['text', sentence, 'text/plain'],
		['HTML', `<title>402</title><h1>${sentence}</h1>nginx`, 'text/html; charset=utf-8'],
	])('as %s', async (_what, body, type) => {
		const error = await refused(bytes(body, type, 400));
		expect(error.message).toBe(`The service did not accept the request (400): ${sentence}`);
		expect(error).toMatchObject({ httpCode: '400', errorResponse: { httpCode: '400' } });
	});
});

const retryAt = {
	'Retry-After': 'Fri, 02 Jan 2026 00:01:00 GMT',
	Date: 'Fri, 02 Jan 2026 00:00:00 GMT',
};

describe('the advice fits', () => {
	it.each<[what: string, Answer, says: string, INodeParameters?, isLive?: boolean]>([
		['the wallet', json({}, 402), 'eak_live_ debit the live wallet', speechToText, true],
		['the voice', json({}, 404), "'Voice ID', which is 'vc_1'", speak],
		['the operation', json({}, 403), "the scope 'amd'", undocumented],
		['the time to wait', json({}, 429, { 'Retry-After': '0.5' }), 'asks to wait 1 seconds.'],
		['the date to wait for', json({}, 503, retryAt), 'The service asks to wait 60 seconds.'],
		['the other address', json({}, 307, { Location: '/b' }), "along a redirect to '/b'."],
	])('%s', async (_what, answer, says, parameters = speechToText, isLive = false) => {
		expect((await refused(answer, parameters, isLive)).description).toContain(says);
	});
});
