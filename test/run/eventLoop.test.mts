import type { Item } from '../../nodes/VoiceSpeech/call/item.ts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { createRange } from '../support/calls.mts';
import { stubCredential } from '../support/stubItem.mts';
import { settle } from '../support/waiting.mts';
import {
	continueOnFailure,
	rejectRead,
	listKinds,
	respondWith,
	run,
	StubService,
} from './stubService.mts';

/** The clock of the tests. It never goes back, because all loops of the process share the start of their last turn. */
let now = 0;

beforeEach(() => {
	now = Math.max(now, performance.now());
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Counts the turns that the event loop makes until the promise settles. */
async function countTurns(running: Promise<unknown>): Promise<number> {
	let isRunning = true;
	const markSettled = () => {
		isRunning = false;
	};
	running.then(markSettled, markSettled);
	let turns = 0;
	while (isRunning) {
		await settle();
		turns++;
	}
	return turns;
}

const itemCount = 100;
/** How long each check takes by the clock of the test, in ms. */
const checkMs = 5;
/** Without a pause between the checks, there are one or two turns. */
const leastTurns = 5;

const readSlowly: Item['readCredential'] = async () => {
	now += checkMs;
	return stubCredential;
};

const failSlowly: Item['readCredential'] = async () => {
	now += checkMs;
	return await rejectRead();
};

it('lets n8n do other work while many items are checked before the first call', async () => {
	const service = new StubService();
	const setups = createRange(itemCount - 1).map(() => ({ readCredential: readSlowly }));
	const items = service.createItems(...setups, { readCredential: failSlowly });
	const running = run(items);
	expect(await countTurns(running)).toBeGreaterThanOrEqual(leastTurns);
	expect(listKinds(await running)).toEqual(['run failed']);
	expect(service.requests).toEqual([]);
});

it('lets n8n do other work while many items fail one after the other', async () => {
	const service = new StubService();
	const items = service.createItems(
		...createRange(itemCount).map(() => ({ readCredential: failSlowly })),
	);
	const running = run(items, continueOnFailure);
	expect(await countTurns(running)).toBeGreaterThanOrEqual(leastTurns);
	expect(new Set(listKinds(await running))).toEqual(new Set(['failed']));
});

it('lets n8n do other work while many items have their result from an earlier try', async () => {
	const service = new StubService();
	const state = new RunState();
	// If none failed, the later try would read nothing.
	const failing = service.createItem(itemCount, { responses: [respondWith(500)] });
	const items = [...createRange(itemCount).map((index) => service.createItem(index)), failing];
	await run(items, continueOnFailure, state);
	for (const item of items) item.readCredential = readSlowly;
	const running = run(items, continueOnFailure, state);
	expect(await countTurns(running)).toBeGreaterThanOrEqual(leastTurns);
	expect(new Set(listKinds(await running))).toEqual(new Set(['kept', 'failed']));
});
