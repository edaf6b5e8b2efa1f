import fc from 'fast-check';

import { RunState } from '../../nodes/VoiceSpeech/run/runState';
import { createRange } from '../support/calls';
import {
	stubKey,
	createAudio,
	createSendError,
	createResponse,
	otherStubKey,
	StubAudio,
} from '../support/stubItem';
import { settle } from '../support/waiting';
import { rejectRead, respondWith, run, StubService, type ItemSetup } from './stubService';

type Fate =
	| { kind: 'responds'; code: number; turns: number }
	| { kind: 'is refused first'; code: number }
	| { kind: 'breaks off'; provablyUnsent: boolean }
	| { kind: 'cannot be prepared' }
	| { kind: 'has no file' }
	| { kind: 'opens slowly'; turns: number };

const turns = fc.nat({ max: 6 });
const code = fc.constantFrom(200, 200, 200, 401, 402, 422, 500);
const fate = fc.oneof<Array<fc.Arbitrary<Fate>>>(
	fc.record({ kind: fc.constant('responds' as const), code, turns }),
	fc.record({ kind: fc.constant('is refused first' as const), code }),
	fc.record({ kind: fc.constant('breaks off' as const), provablyUnsent: fc.boolean() }),
	fc.record({ kind: fc.constant('cannot be prepared' as const) }),
	fc.record({ kind: fc.constant('has no file' as const) }),
	fc.record({ kind: fc.constant('opens slowly' as const), turns }),
);

function createSetup(one: Fate): ItemSetup {
	switch (one.kind) {
		case 'responds': {
			const respond = async () => {
				await settle(one.turns);
				return createResponse(one.code);
			};
			return { responses: [respond] };
		}
		case 'is refused first': {
			const refused = respondWith(429, { 'retry-after': '0' });
			return { responses: [refused, respondWith(one.code)] };
		}
		case 'breaks off': {
			const error = createSendError(one);
			return { responses: [async () => await Promise.reject(error)] };
		}
		case 'cannot be prepared':
			return { readCredential: rejectRead };
		case 'has no file':
			return { audio: { isRemote: false, identity: [], check: rejectRead, open: rejectRead } };
		case 'opens slowly': {
			const audio = createAudio(async () => {
				await settle(one.turns);
				return await new StubAudio().open();
			});
			return { audio };
		}
	}
}

it('gives each item one outcome at its index, starts no call after the run failed, and pays none twice', async () => {
	const setup = fc.record({
		fates: fc.array(fc.tuple(fate, fc.boolean()), { maxLength: 12 }),
		concurrency: fc.integer({ min: 1, max: 5 }),
		stopsOnFailure: fc.boolean(),
		cancelAfter: fc.option(turns),
		tries: fc.integer({ min: 1, max: 3 }),
	});
	await fc.assert(
		fc.asyncProperty(setup, async ({ fates, concurrency, stopsOnFailure, cancelAfter, tries }) => {
			const service = new StubService();
			const state = new RunState();
			const succeeded = new Set<number>();
			const items = service.createItems(
				...fates.map(([one, isOther]) => ({
					...createSetup(one),
					key: isOther ? otherStubKey : stubKey,
				})),
			);
			for (let count = 0; count < tries; count++) {
				const cancel = new AbortController();
				const sentBefore = service.requests.length;
				const cancelSignal = cancel.signal;
				const running = run(items, { concurrency, stopsOnFailure, cancelSignal }, state);
				if (cancelAfter !== null) {
					await settle(cancelAfter);
					cancel.abort();
				}
				const outcome = await running;
				expect(service.inProgress).toBe(0);
				for (const index of service.requests.slice(sentBefore)) {
					expect(succeeded.has(index)).toBe(false);
				}
				for (const index of createRange(items.length)) {
					if (state.getCachedCall(index) !== undefined) succeeded.add(index);
				}
				if (outcome.kind === 'failed') {
					expect(stopsOnFailure).toBe(true);
					expect((await outcome.failure.errorPromise).message).not.toBe('');
					continue;
				}
				expect(outcome.outcomes).toHaveLength(items.length);
				for (const [position, one] of [...outcome.outcomes].entries()) {
					if (one.kind === 'succeeded') expect(succeeded.has(position)).toBe(true);
					else expect(one.failure.index).toBe(position);
					expect(stopsOnFailure && one.kind === 'failed').toBe(false);
				}
			}
			expect(service.maxInProgress).toBeLessThanOrEqual(concurrency);
			for (const index of createRange(items.length)) {
				const wasSent = service.requests.includes(index);
				if (!wasSent) expect(state.getDebitRecord(index).debit).toBe('notSent');
			}
		}),
		{ numRuns: 150 },
	);
});
