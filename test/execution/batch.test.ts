/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import { getEventListeners } from 'node:events';

import { Batch } from '../../nodes/VoiceSpeech/execution/batch';

/** Lets everything that waits go on. */
const settle = async () => await new Promise<void>((resolve) => setImmediate(resolve));

function started(stopsOnFailure: boolean, cancel?: AbortSignal) {
	const onEnd = jest.fn();
	const batch = new Batch(stopsOnFailure, cancel);
	batch.onEnded.add(onEnd);
	return { batch, onEnd };
}

describe('items that n8n hands over together', () => {
	it('wait until all of them are checked, then go on by index', async () => {
		const { batch } = started(true);
		const groups = [0, 1, 2].map(() => batch.joinGroup());
		const passed: number[] = [];
		for (const index of [2, 0, 1]) {
			void groups[index]?.allChecked(index).then(() => passed.push(index));
		}
		groups[0]?.checked();
		groups[1]?.checked();
		batch.closeGroup();
		await settle();
		expect(passed).toEqual([]);
		groups[2]?.checked();
		await settle();
		expect(passed).toEqual([0, 1, 2]);
	});

	it('wait until n8n has handed over the last of them', async () => {
		const { batch } = started(true);
		const group = batch.joinGroup();
		group.checked();
		let isOver = false;
		const waiting = group.allChecked(0).then(() => {
			isOver = true;
		});
		await settle();
		expect(isOver).toBe(false);
		batch.closeGroup();
		await waiting;
		await group.allChecked(1);
	});

	it('do not wait for items that n8n hands over later', async () => {
		const { batch } = started(true);
		const first = batch.joinGroup();
		batch.closeGroup();
		const second = batch.joinGroup();
		first.checked();
		await first.allChecked(0);
		let isOver = false;
		void second.allChecked(1).then(() => {
			isOver = true;
		});
		await settle();
		expect(isOver).toBe(false);
	});
});

describe('a failure', () => {
	const failure = { index: 3, error: new Error('first'), apiKey: undefined };

	it.each([
		['ends a run that stops on failure', true, false, true],
		['that concerns all items ends every run', false, true, true],
		['of one item leaves a run that continues as it is', false, false, false],
	])('%s', (_what, stopsOnFailure, failsAllItems, ends) => {
		const { batch, onEnd } = started(stopsOnFailure);
		batch.fail(failure, failsAllItems);
		expect(batch.ended.aborted).toBe(ends);
		expect(batch.failure).toBe(ends ? failure : undefined);
		expect(onEnd).toHaveBeenCalledTimes(ends ? 1 : 0);
	});

	it('is kept where another one follows', () => {
		const { batch, onEnd } = started(true);
		batch.fail(failure, false);
		batch.fail({ index: 0, error: new Error('second'), apiKey: undefined }, true);
		expect(batch.failure).toBe(failure);
		expect(onEnd).toHaveBeenCalledTimes(1);
	});

	it('after the end of the run is not the reason for its end', () => {
		const { batch } = started(true);
		batch.end();
		batch.fail(failure, false);
		expect(batch.failure).toBeUndefined();
	});
});

describe('a cancelled execution', () => {
	it('ends the run without a failure', () => {
		const cancel = new AbortController();
		const { batch, onEnd } = started(false, cancel.signal);
		batch.enter();
		expect(batch.isCanceled).toBe(false);
		cancel.abort();
		expect(batch.isCanceled).toBe(true);
		expect(batch.ended.aborted).toBe(true);
		expect(batch.failure).toBeUndefined();
		expect(onEnd).toHaveBeenCalledTimes(1);
	});

	it('ends the run of an item that begins afterwards', () => {
		const cancel = new AbortController();
		cancel.abort();
		const { batch } = started(true, cancel.signal);
		batch.enter();
		expect(batch.ended.aborted).toBe(true);
	});

	it('is listened to once, and only while items are in progress', () => {
		const cancel = new AbortController();
		const { batch } = started(true, cancel.signal);
		const listeners = () => getEventListeners(cancel.signal, 'abort').length;
		expect(listeners()).toBe(0);
		batch.enter();
		batch.enter();
		expect(listeners()).toBe(1);
		batch.exit();
		expect(listeners()).toBe(1);
		batch.exit();
		expect(listeners()).toBe(0);
	});

	it('is not known on an n8n that has no signal for it', () => {
		const { batch } = started(true);
		batch.enter();
		batch.exit();
		expect(batch.isCanceled).toBe(false);
		expect(batch.ended.aborted).toBe(false);
	});
});
