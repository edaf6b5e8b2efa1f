import { getEventListeners } from 'node:events';

import { CallTimeouts, type TimeoutLimits } from '../../nodes/VoiceSpeech/call/timeouts.ts';
import { useClock } from '../support/clock.mts';

const clock = useClock();

/** Expects the call to be stopped after this many ms, and not before. */
async function expectStopAfter({ signal }: CallTimeouts, milliseconds: number): Promise<void> {
	await clock.advance(milliseconds - 1);
	expect(signal.aborted).toBe(false);
	await clock.advance(1);
	expect(signal.aborted).toBe(true);
}

it('stops a call that is canceled, and leaves no listener', () => {
	const cancel = new AbortController();
	const timeouts = new CallTimeouts({ responseStart: 0 }, cancel.signal);
	cancel.abort();
	expect(timeouts.signal.aborted).toBe(true);
	expect(timeouts.reason).toMatchObject({ message: 'The execution was canceled' });
	timeouts.finish();
	expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
});

it("keeps its limits while the system's clock is set forward", async () => {
	const timeouts = new CallTimeouts({ responseStart: 0, upload: 100 }, undefined);
	timeouts.onUploadProgress();
	clock.correct(3_600_000);
	// A wait that ends looks at the clock again.
	await expectStopAfter(timeouts, 100_000);
});

type Progress = 'onAudioRead' | 'onUploadProgress' | 'onUploadEnd' | 'onResponseProgress';

it.each<[seconds: number, limits: Partial<TimeoutLimits>, progress: Progress[], message: string]>([
	[0.2, { opening: 0.2 }, [], 'The audio stalled for 0.2 seconds before the upload began'],
	// Audio is read during the upload too.
	[0.2, { upload: 0.2 }, ['onUploadProgress', 'onAudioRead'], 'The upload stalled for 0.2 seconds'],
	[0.2, { responseStart: 0.2 }, ['onUploadEnd'], 'The service did not respond within 0.2 seconds'],
	[0.2, { response: 0.2 }, ['onResponseProgress'], 'The response stalled for 0.2 seconds and was'],
	[120, {}, [], 'The audio stalled for 120 seconds before the upload began'],
	[600, {}, ['onUploadProgress'], 'The upload stalled for 600 seconds'],
	[120, {}, ['onResponseProgress'], 'The response stalled for 120 seconds'],
])('stops a call after %d s with the limits %j, after %j: %s', async (...row) => {
	const [seconds, limits, progress, message] = row;
	const timeouts = new CallTimeouts({ responseStart: 0, ...limits }, undefined);
	for (const name of progress) timeouts[name]();
	await expectStopAfter(timeouts, seconds * 1_000);
	expect(timeouts.reason).toMatchObject({
		message: expect.stringContaining(message) as string,
		description: expect.stringMatching(/^\w.+\.$/) as string,
	});
});

it.each<[phase: keyof TimeoutLimits, progress: Progress]>([
	['opening', 'onAudioRead'],
	['upload', 'onUploadProgress'],
	['response', 'onResponseProgress'],
])('counts the limit of the phase %s from the last byte that moved', async (phase, progress) => {
	const limits = { opening: 60, upload: 60, responseStart: 60, response: 60, [phase]: 1 };
	const timeouts = new CallTimeouts(limits, undefined);
	for (let count = 0; count < 5; count++) {
		timeouts[progress]();
		await clock.advance(999);
	}
	timeouts[progress]();
	await expectStopAfter(timeouts, 1_000);
});

it('waits for the response without a limit if the limit is 0', async () => {
	const timeouts = new CallTimeouts({ responseStart: 0, upload: 0.1 }, undefined);
	timeouts.onUploadEnd();
	await clock.advance(3_600_000);
	expect(timeouts.signal.aborted).toBe(false);
	timeouts.finish();
});

it('waits for storage without a limit, and counts again from the next byte of the response', async () => {
	const timeouts = new CallTimeouts({ responseStart: 0, response: 0.1 }, undefined);
	timeouts.onResponseProgress();
	timeouts.onStoreStart();
	await clock.advance(1_050);
	expect(timeouts.signal.aborted).toBe(false);
	timeouts.onResponseProgress();
	await expectStopAfter(timeouts, 100);
	expect(timeouts.reason?.message).toMatch(/^The response stalled/);
});

it('reports the cancellation even if the call had stalled before', async () => {
	const cancel = new AbortController();
	const timeouts = new CallTimeouts({ responseStart: 0, opening: 0.05 }, cancel.signal);
	await expectStopAfter(timeouts, 50);
	cancel.abort();
	expect(timeouts.reason?.message).toBe('The execution was canceled');
});

it('reports no stall once the call has finished', async () => {
	const timeouts = new CallTimeouts({ responseStart: 0, upload: 0.05 }, undefined);
	timeouts.onUploadProgress();
	timeouts.finish();
	await clock.advance(50);
	expect(timeouts.reason).toBeUndefined();
	expect(timeouts.signal.aborted).toBe(true);
});

it('applies the limit of the upload until its end, also while a response arrives and is stored', async () => {
	const limits = { responseStart: 60, upload: 60, response: 0.1 };
	const timeouts = new CallTimeouts(limits, undefined);
	timeouts.onUploadProgress();
	timeouts.onResponseProgress();
	await clock.advance(30_000);
	expect(timeouts.reason).toBeUndefined();
	timeouts.onStoreStart();
	timeouts.onUploadProgress();
	await clock.advance(30_000);
	expect(timeouts.reason).toBeUndefined();
	timeouts.onResponseProgress();
	timeouts.onUploadEnd();
	await expectStopAfter(timeouts, 100);
	expect(timeouts.reason?.message).toMatch(/^The response stalled/);
});
