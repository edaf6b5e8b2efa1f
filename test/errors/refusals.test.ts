import type { INodeParameters } from 'n8n-workflow';

import { modes } from '../support/calls';
import { speak, speechToText, undocumented, useNode } from '../support/node';
import { bytes, json, type Answer } from '../support/scriptedServer';
import { refusals, sentence } from '../support/refusals';
import { expectNoKey, liveKey, secretKey } from '../support/secret';

// What each status means, and what to do about it: test/errors/httpError.test.ts.

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
	it.each(refusals)('as $shape', async ({ body, headers, says }) => {
		const { message } = await refused(bytes(body, headers['Content-Type'], 400));
		expect(message).toBe(`The service did not accept the request (400): ${says}`);
	});

	it.each([302, 401, 402, 403, 404, 405, 413, 415, 422, 429, 500, 502, 503, 504])(
		'with status %i',
		async (status) => {
			const error = await refused(json({ message: sentence }, status), speak);
			expect(error.message).toContain(`(${status}): ${sentence}`);
			const httpCode = String(status);
			expect(error).toMatchObject({ httpCode, errorResponse: { httpCode } });
		},
	);
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

	it('in the item too, with continue, next to its own fields', async () => {
		node.service.answer = json({ detail: sentence }, 402);
		const { items, run } = await node.run(
			{ ...speechToText, ...once },
			{ credential: { apiKey: secretKey }, json: { id: 7 }, node: modes.continue },
		);
		expect(items[0]?.json).toEqual({
			id: 7,
			error: {
				message: `The sandbox wallet has no credits left for this call (402): ${sentence}`,
				description:
					'Keys that start with eak_test_ debit the sandbox wallet: it needs more credits.',
			},
		});
		expectNoKey(run);
	});
});
