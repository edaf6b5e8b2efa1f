import { sleep } from 'n8n-workflow';

import type { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import { ItemHandover, type HandoverFacts } from '../../nodes/VoiceSpeech/n8n/handover';

type Setting = Partial<HandoverFacts> & { stopsOnFailure?: boolean };

function handoverOf({ stopsOnFailure = true, ...facts }: Setting) {
	const onGroup = jest.fn();
	const onRejected = jest.fn();
	const handover = new ItemHandover({ expected: 2, batching: undefined, ...facts }, {
		closeGroup: onGroup,
		end: onRejected,
		stopsOnFailure,
	} as unknown as NodeRunTry);
	return { handover, onGroup, onRejected };
}

/** Whether a promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	const pending = {};
	return (await Promise.race([promise, sleep(5).then(() => pending)])) !== pending;
}

it('items without batching are one group, which ends with the macrotask', async () => {
	const { handover, onGroup, onRejected } = handoverOf({});
	handover.enter(0);
	await Promise.resolve();
	handover.enter(1);
	expect(onGroup).not.toHaveBeenCalled();
	expect(await handover.mayReject()).toBe(true);
	expect(onGroup).toHaveBeenCalledTimes(1);
	expect(onRejected).not.toHaveBeenCalled();
});

const batching = { size: 2, intervalMs: 40 };

/** A tool's items are the agent's: their number is not known. */
const tool = { expected: undefined };

it.each<[string, Setting, entered: number, mayReject: boolean]>([
	['an item is missing: n8n rejected the run', {}, 1, false],
	['an item is missing, but the node continues', { stopsOnFailure: false }, 1, true],
	["the item is an agent's", tool, 1, true],
	['a batch is short: n8n rejected the run', { expected: 3, batching }, 1, false],
	['a batch does not come', { expected: 3, batching }, 2, false],
	["the item is an agent's, in batches", { ...tool, batching }, 1, true],
])('%s', async (_what, facts, entered, mayReject) => {
	const { handover, onGroup, onRejected } = handoverOf(facts);
	for (let index = 0; index < entered; index++) handover.enter(index);
	expect(await handover.mayReject()).toBe(mayReject);
	expect(onGroup).toHaveBeenCalledTimes(1);
	expect(onRejected).toHaveBeenCalledTimes(mayReject ? 0 : 1);
});

describe('items of the next try', () => {
	it('have an index that has come already', () => {
		const { handover } = handoverOf({});
		expect(handover.isNextTry(0)).toBe(false);
		handover.enter(0);
		expect(handover.isNextTry(0)).toBe(true);
		expect(handover.isNextTry(1)).toBe(false);
	});

	it('are all that come after the group, without batching', async () => {
		const { handover } = handoverOf({ stopsOnFailure: false });
		handover.enter(1);
		await sleep(5);
		expect(handover.isNextTry(0)).toBe(true);
	});

	it('are not those of the next batch', async () => {
		const { handover } = handoverOf({ batching: { size: 1, intervalMs: 1 } });
		handover.enter(0);
		await sleep(0);
		expect(handover.isNextTry(1)).toBe(false);
		expect(handover.isNextTry(0)).toBe(true);
		handover.abandon();
	});
});

describe('items in batches', () => {
	it('are one group each, and may be rejected after the last', async () => {
		const { handover, onGroup, onRejected } = handoverOf({ expected: 3, batching });
		handover.enter(0);
		handover.enter(1);
		const mayReject = handover.mayReject();
		const interval = sleep(batching.intervalMs);
		expect(await isSettled(mayReject)).toBe(false);
		expect(onGroup).toHaveBeenCalledTimes(1);
		await interval;
		handover.enter(2);
		expect(await mayReject).toBe(true);
		expect(onGroup).toHaveBeenCalledTimes(2);
		await sleep(2 * batching.intervalMs);
		expect(onRejected).not.toHaveBeenCalled();
	});

	it('may not be rejected where the try was abandoned, which ends it', async () => {
		const { handover, onRejected } = handoverOf({ expected: 3, batching, stopsOnFailure: false });
		handover.enter(0);
		const mayReject = handover.mayReject();
		handover.abandon();
		expect(await mayReject).toBe(false);
		expect(onRejected).toHaveBeenCalledTimes(1);
	});
});
