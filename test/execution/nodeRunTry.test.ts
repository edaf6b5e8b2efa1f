/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { getEventListeners } from 'node:events';

import type { Item } from '../../nodes/VoiceSpeech/execution/item';
import { newTry, settle } from './call';

function started(stopsOnFailure: boolean, cancel?: AbortSignal) {
	const onEnd = jest.fn();
	const runTry = newTry({ stopsOnFailure, cancel });
	runTry.onEnded.add(onEnd);
	return { runTry, onEnd };
}

// Their order: test/execution/outcome.test.ts.
describe('items that n8n hands over together', () => {
	it('wait until n8n has handed over the last of them, and not for later items', async () => {
		const { runTry } = started(true);
		const group = runTry.joinGroup();
		group.checked();
		const passed: string[] = [];
		void group.allChecked(0).then(() => passed.push('first'));
		await settle();
		expect(passed).toEqual([]);
		runTry.closeGroup();
		void runTry
			.joinGroup()
			.allChecked(1)
			.then(() => passed.push('second'));
		await settle();
		expect(passed).toEqual(['first']);
		await group.allChecked(2);
	});
});

describe('a failure', () => {
	const item = { index: 3 } as Item;
	const failure = { item, error: new Error('first') };

	it.each([
		['ends a run that stops on failure', true, false, true],
		['that concerns all items ends every run', false, true, true],
		['of one item leaves a run that continues as it is', false, false, false],
	])('%s', (_what, stopsOnFailure, failsAllItems, ends) => {
		const { runTry, onEnd } = started(stopsOnFailure);
		runTry.fail(failure, failsAllItems);
		expect(runTry.ended.aborted).toBe(ends);
		expect(runTry.failure).toBe(ends ? failure : undefined);
		expect(onEnd).toHaveBeenCalledTimes(ends ? 1 : 0);
	});

	it('is kept where another one follows', () => {
		const { runTry, onEnd } = started(true);
		runTry.fail(failure, false);
		runTry.fail({ item, error: new Error('second') }, true);
		expect(runTry.failure).toBe(failure);
		expect(onEnd).toHaveBeenCalledTimes(1);
	});

	it('after the end of the try is not the reason for its end', () => {
		const { runTry } = started(true);
		runTry.end();
		runTry.fail(failure, false);
		expect(runTry.failure).toBeUndefined();
	});
});

describe('a canceled execution', () => {
	it('ends the try without a failure', () => {
		const cancel = new AbortController();
		const { runTry, onEnd } = started(false, cancel.signal);
		runTry.enter();
		expect(runTry.isCanceled).toBe(false);
		expect(onEnd).not.toHaveBeenCalled();
		cancel.abort();
		expect(runTry.isCanceled).toBe(true);
		expect(runTry.ended.aborted).toBe(true);
		expect(runTry.failure).toBeUndefined();
		expect(onEnd).toHaveBeenCalledTimes(1);
	});

	it('ends the try of an item that begins afterwards', () => {
		const cancel = new AbortController();
		cancel.abort();
		const { runTry } = started(true, cancel.signal);
		runTry.enter();
		expect(runTry.ended.aborted).toBe(true);
	});

	it('is listened to once, and only while items are in progress', () => {
		const cancel = new AbortController();
		const { runTry } = started(true, cancel.signal);
		const listeners = () => getEventListeners(cancel.signal, 'abort').length;
		expect(listeners()).toBe(0);
		runTry.enter();
		runTry.enter();
		expect(listeners()).toBe(1);
		runTry.exit();
		expect(listeners()).toBe(1);
		runTry.exit();
		expect(listeners()).toBe(0);
	});
});

it('an item whose request may have been debited stays so, regardless of its next request', () => {
	const { runTry } = started(true);
	runTry.recordSent(3, true);
	runTry.recordSent(3, false);
	runTry.recordSent(4, false);
	expect([...runTry.run.sent]).toEqual([
		[3, true],
		[4, false],
	]);
});

it('needs no signal of a cancellation, which older n8n does not have', () => {
	const { runTry } = started(true);
	runTry.enter();
	expect(runTry.isCanceled).toBe(false);
	runTry.exit();
});
