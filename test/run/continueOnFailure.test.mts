import { Readable } from 'node:stream';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { createRange } from '../support/calls.mts';
import {
	stubKey,
	createAudio,
	createSendError,
	createResponse,
	stubCredential,
	otherStubKey,
	StubAudio,
} from '../support/stubItem.mts';
import { createDeferred, isSettled, waitForever } from '../support/waiting.mts';
import {
	continueOnFailure,
	rejectRead,
	createDelayedResponse,
	listKinds,
	readMessages,
	respondWith,
	run,
	StubService,
	type ItemSetup,
} from './stubService.mts';

it('completes the other items after the failure of one if the node continues on failure', async () => {
	const service = new StubService();
	const setups: ItemSetup[] = [
		{},
		{ readCredential: rejectRead },
		{ audio: createAudio(rejectRead) },
		{ responses: [respondWith(422)] },
		{ responses: [async () => await Promise.reject(createSendError({ isUnconnected: false }))] },
		{ responses: [respondWith(403)] },
		{ responses: [respondWith(500)] },
		{},
	];
	const state = new RunState();
	const outcome = await run(service.createItems(...setups), continueOnFailure, state);
	const failed = Array<string>(6).fill('failed');
	expect(listKinds(outcome)).toEqual(['succeeded', ...failed, 'succeeded']);
	expect(service.requests).toEqual([0, 3, 4, 5, 6, 7]);
	expect(createRange(8).map((index) => state.getDebitRecord(index).debit)).toEqual([
		'debited',
		'notSent',
		'notSent',
		'refused',
		'possible',
		'refused',
		'possible',
		'debited',
	]);
});

it('fails only the item whose response the node cannot read because of a fault of its own', async () => {
	const service = new StubService();
	const failToReadHeaders = () => {
		const response = createResponse(422);
		const headers = {
			get: () => {
				throw new Error('fault of the node');
			},
		};
		return Object.defineProperty(response, 'headers', headers);
	};
	const setups: ItemSetup[] = [{}, { responses: [failToReadHeaders] }, {}, {}];
	const state = new RunState();
	const outcome = await run(
		service.createItems(...setups),
		{ ...continueOnFailure, concurrency: 2 },
		state,
	);
	expect(listKinds(outcome)).toEqual(['succeeded', 'failed', 'succeeded', 'succeeded']);
	expect(await readMessages(outcome)).toContain('fault of the node');
	expect(state.getDebitRecord(1).debit).toBe('possible');
});

it.each([401, 402])(
	'stops only the items with the same key after a status %i if the node continues on failure',
	async (code) => {
		const service = new StubService();
		const outcome = await run(
			service.createItems(
				{},
				{ responses: [respondWith(code)] },
				{},
				{ key: otherStubKey },
				{ audio: new StubAudio() },
				{ key: otherStubKey },
			),
			continueOnFailure,
		);
		expect(listKinds(outcome)).toEqual([
			'succeeded',
			'failed',
			'blocked',
			'succeeded',
			'blocked',
			'succeeded',
		]);
		expect(service.requests).toEqual([0, 1, 3, 5]);
		const [, refused, blocked] = await readMessages(outcome);
		expect(blocked).toBe(
			`This item was not sent, because item 1 (the first is item 0) was refused: ${refused}`,
		);
	},
);

it('ends the opening of audio only for items with the refused key', async () => {
	const service = new StubService();
	const state = new RunState();
	const opening = createDeferred();
	const slowAudio = createAudio(async () => {
		await opening.promise;
		return await new StubAudio().open();
	});
	const items = service.createItems(
		{ audio: createAudio(waitForever) },
		{ key: otherStubKey, audio: slowAudio },
		{ responses: [respondWith(402)] },
	);
	const running = run(items, { ...continueOnFailure, concurrency: 3 }, state);
	await waitUntil(() => state.getDebitRecord(2).debit === 'refused');
	opening.resolve();
	expect(listKinds(await running)).toEqual(['blocked', 'succeeded', 'failed']);
});

it("quotes the service's words about a refused key for the items that it blocks, without the key", async () => {
	const service = new StubService();
	const body = new Readable({ read() {} });
	const check = createDeferred();
	const readCredential = async () => {
		await check.promise;
		return stubCredential;
	};
	const refusal = { responses: [() => createResponse(401, {}, body)] };
	const running = run(service.createItems(refusal, { readCredential }), {
		...continueOnFailure,
		concurrency: 2,
	});
	await waitUntil(() => service.requests.length === 1 && service.inProgress === 0);
	// The first call has been refused, and its body has not arrived.
	check.resolve();
	expect(await isSettled(running)).toBe(false);
	expect(service.requests).toEqual([0]);
	body.push(`{"message":"Unknown key ${stubKey}."}`);
	body.push(null);
	const [, blocked] = await readMessages(await running);
	expect(blocked).toMatch(
		/^This item was not sent, because item 0 \(the first\) was refused: .*\(401\)/,
	);
	expect(blocked).toContain('Unknown key eak_test_***');
	expect(blocked).not.toContain(stubKey);
});

it('says for an item that waits to be retried that it was not sent again', async () => {
	const service = new StubService();
	const second = createDelayedResponse();
	const items = service.createItems(
		{ responses: [respondWith(429, { 'retry-after': '60' })] },
		{ responses: [second.respond] },
	);
	const state = new RunState();
	const running = run(items, { ...continueOnFailure, concurrency: 2 }, state);
	await waitUntil(() => state.getDebitRecord(0).debit === 'refused');
	second.release(402);
	const outcome = await running;
	expect(listKinds(outcome)).toEqual(['blocked', 'failed']);
	expect((await readMessages(outcome))[0]).toMatch(
		/^This item was not sent again, because item 1 \(the first is item 0\) was refused/,
	);
	expect(state.getDebitRecord(0).debit).toBe('refused');
});
