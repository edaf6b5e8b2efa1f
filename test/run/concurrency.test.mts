import { Readable } from 'node:stream';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { createRange } from '../support/calls.mts';
import { useClock } from '../support/clock.mts';
import { createResponse, stubCredential } from '../support/stubItem.mts';
import { settle, settleAll } from '../support/waiting.mts';
import {
	continueOnFailure,
	failureSettings,
	createDelayedResponse,
	listKinds,
	respondWith,
	run,
	StubService,
	type Respond,
} from './stubService.mts';

it.each(failureSettings)(
	'returns no outcomes for no items if the node $onFailure on failure',
	async ({ stopsOnFailure }) => {
		expect(await run([], { stopsOnFailure })).toEqual({ kind: 'completed', outcomes: [] });
	},
);

it('never runs more calls than Concurrency, over thousands of items that start in their order', async () => {
	const service = new StubService();
	const respond: Respond = async () => {
		await settle();
		return createResponse(200);
	};
	const items = createRange(1500).map((index) =>
		service.createItem(index, { responses: [respond] }),
	);
	const outcome = await run(items, { concurrency: 7, ...continueOnFailure });
	expect(service.maxInProgress).toBe(7);
	expect(service.requests).toEqual(createRange(1500));
	expect(new Set(listKinds(outcome))).toEqual(new Set(['succeeded']));
});

it.each([
	{ concurrency: 1, most: 1 },
	{ concurrency: 1.9, most: 1 },
	{ concurrency: 3, most: 3 },
	{ concurrency: 9, most: 4 },
])(
	'runs at most $most of four calls with the Concurrency $concurrency',
	async ({ concurrency, most }) => {
		const service = new StubService();
		const calls = createRange(4).map(createDelayedResponse);
		const items = service.createItems(...calls.map(({ respond }) => ({ responses: [respond] })));
		const running = run(items, { concurrency });
		await waitUntil(() => service.requests.length === most);
		for (const [position, { release }] of calls.entries()) {
			release(200);
			const started = Math.min(calls.length, most + position + 1);
			await waitUntil(() => service.requests.length === started);
		}
		expect(listKinds(await running)).toEqual(Array(4).fill('succeeded'));
		expect(service.maxInProgress).toBe(most);
	},
);

describe('a call that waits to be retried', () => {
	const clock = useClock();

	it('counts as one in progress, also once it is sent again', async () => {
		const service = new StubService();
		const refused = respondWith(429, { 'retry-after': '0.2' });
		const retry = createDelayedResponse();
		const running = run(service.createItems({ responses: [refused, retry.respond] }, {}, {}));
		await clock.advance(200);
		await waitUntil(() => service.requests.length === 2);
		// After the back-off, only the limiter holds back the other items.
		await settleAll();
		expect(service.requests).toEqual([0, 0]);
		retry.release(200);
		await running;
		expect(service.requests).toEqual([0, 0, 1, 2]);
	});
});

it.each(failureSettings)(
	'returns outcomes in the order of the items, and not of the responses, if the node $onFailure on failure',
	async ({ stopsOnFailure }) => {
		const service = new StubService();
		const calls = createRange(3).map(createDelayedResponse);
		const items = service.createItems(...calls.map(({ respond }) => ({ responses: [respond] })));
		for (const item of items) {
			const { send } = item;
			item.send = async (...sent) => ({
				...(await send(...sent)),
				body: Readable.from([Buffer.from(JSON.stringify({ item: item.index }))]) as never,
			});
		}
		const running = run(items, { concurrency: 3, stopsOnFailure });
		await waitUntil(() => service.inProgress === 3);
		for (const [ended, position] of [2, 0, 1].entries()) {
			calls[position]?.release(200);
			await waitUntil(() => service.inProgress === 2 - ended);
		}
		expect(await running).toMatchObject({
			kind: 'completed',
			outcomes: createRange(3).map((index) => ({ result: { output: { json: { item: index } } } })),
		});
	},
);

it.each([
	{ slowest: 'last', turnsOfChecks: [5, 4, 3, 2, 1, 6] },
	{ slowest: 'first', turnsOfChecks: [6, 1, 2, 3, 4, 5] },
])(
	'starts calls in the order of the items if the check of the $slowest one is slowest',
	async ({ turnsOfChecks }) => {
		const service = new StubService();
		const items = service.createItems(
			...turnsOfChecks.map((turns) => ({
				async readCredential() {
					await settle(turns);
					return stubCredential;
				},
			})),
		);
		await run(items, { concurrency: 6 });
		expect(service.requests).toEqual(createRange(6));
	},
);
