import { sleep } from 'n8n-workflow';

import type { NodeRunTry } from '../../nodes/VoiceSpeech/execution/nodeRunTry';
import { Arrivals, type ArrivalFacts } from '../../nodes/VoiceSpeech/n8n/arrivals';

type Setting = Partial<ArrivalFacts> & { stopsOnFailure?: boolean };

function arrivalsOf({ stopsOnFailure = true, ...facts }: Setting) {
	const onGroup = jest.fn();
	const onRejected = jest.fn();
	const arrivals = new Arrivals({ expected: 2, batching: undefined, ...facts }, {
		closeGroup: onGroup,
		end: onRejected,
		stopsOnFailure,
	} as unknown as NodeRunTry);
	return { arrivals, onGroup, onRejected };
}

/** Whether a promise has settled. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	const pending = {};
	return (await Promise.race([promise, sleep(5).then(() => pending)])) !== pending;
}

describe('items without batching', () => {
	it('are one group, which ends with the macrotask', async () => {
		const { arrivals, onGroup, onRejected } = arrivalsOf({});
		arrivals.enter(0);
		await Promise.resolve();
		arrivals.enter(1);
		expect(onGroup).not.toHaveBeenCalled();
		expect(await arrivals.mayReject()).toBe(true);
		expect(onGroup).toHaveBeenCalledTimes(1);
		expect(onRejected).not.toHaveBeenCalled();
	});

	it('show by a missing item that n8n rejected the run', async () => {
		const { arrivals, onGroup, onRejected } = arrivalsOf({});
		arrivals.enter(0);
		expect(await arrivals.mayReject()).toBe(false);
		expect(onRejected).toHaveBeenCalledTimes(1);
		expect(onGroup).toHaveBeenCalledTimes(1);
	});

	it.each<[string, Setting]>([
		['the node continues on failure', { stopsOnFailure: false }],
		["the items are an agent's", { expected: undefined }],
	])('show nothing by a missing item where %s', async (_when, facts) => {
		const { arrivals, onRejected } = arrivalsOf(facts);
		arrivals.enter(0);
		expect(await arrivals.mayReject()).toBe(true);
		expect(onRejected).not.toHaveBeenCalled();
	});
});

describe('items of the next try', () => {
	it('have an index that has come already', () => {
		const { arrivals } = arrivalsOf({});
		expect(arrivals.isNextTry(0)).toBe(false);
		arrivals.enter(0);
		expect(arrivals.isNextTry(0)).toBe(true);
		expect(arrivals.isNextTry(1)).toBe(false);
	});

	it('are all that come after the group, without batching', async () => {
		const { arrivals } = arrivalsOf({ stopsOnFailure: false });
		arrivals.enter(1);
		await sleep(5);
		expect(arrivals.isNextTry(0)).toBe(true);
	});

	it('are not those of the next batch', async () => {
		const { arrivals } = arrivalsOf({ batching: { size: 1, intervalMs: 1 } });
		arrivals.enter(0);
		await sleep(0);
		expect(arrivals.isNextTry(1)).toBe(false);
		expect(arrivals.isNextTry(0)).toBe(true);
		arrivals.abandon();
	});
});

describe('items in batches', () => {
	const batching = { size: 2, intervalMs: 40 };

	it('are one group each, and may be rejected after the last', async () => {
		const { arrivals, onGroup, onRejected } = arrivalsOf({ expected: 3, batching });
		arrivals.enter(0);
		arrivals.enter(1);
		const mayReject = arrivals.mayReject();
		const interval = sleep(batching.intervalMs);
		expect(await isSettled(mayReject)).toBe(false);
		expect(onGroup).toHaveBeenCalledTimes(1);
		await interval;
		arrivals.enter(2);
		expect(await mayReject).toBe(true);
		expect(onGroup).toHaveBeenCalledTimes(2);
		await sleep(2 * batching.intervalMs);
		expect(onRejected).not.toHaveBeenCalled();
	});

	it('show by a short batch that n8n rejected the run', async () => {
		const { arrivals, onRejected } = arrivalsOf({ expected: 3, batching });
		arrivals.enter(0);
		expect(await arrivals.mayReject()).toBe(false);
		expect(onRejected).toHaveBeenCalledTimes(1);
	});

	it('show by a batch that does not come that n8n rejected the run', async () => {
		const { arrivals, onRejected } = arrivalsOf({ expected: 3, batching });
		arrivals.enter(0);
		arrivals.enter(1);
		const mayReject = arrivals.mayReject();
		expect(await isSettled(mayReject)).toBe(false);
		expect(onRejected).not.toHaveBeenCalled();
		expect(await mayReject).toBe(false);
		expect(onRejected).toHaveBeenCalledTimes(1);
	});

	it('show nothing by a missing item where the node continues on failure', async () => {
		const { arrivals, onRejected } = arrivalsOf({ batching, stopsOnFailure: false });
		arrivals.enter(0);
		await sleep(2 * batching.intervalMs);
		expect(onRejected).not.toHaveBeenCalled();
		arrivals.abandon();
	});

	it('may not be rejected where the try was abandoned, which ends it', async () => {
		const { arrivals, onRejected } = arrivalsOf({ expected: 3, batching, stopsOnFailure: false });
		arrivals.enter(0);
		const mayReject = arrivals.mayReject();
		arrivals.abandon();
		expect(await mayReject).toBe(false);
		expect(onRejected).toHaveBeenCalledTimes(1);
	});

	it("of an agent's tool do not wait for further items", async () => {
		const { arrivals } = arrivalsOf({ expected: undefined, batching });
		arrivals.enter(0);
		expect(await arrivals.mayReject()).toBe(true);
	});
});
