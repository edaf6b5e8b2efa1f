/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import { CallTimeouts, type TimeoutLimits } from '../../nodes/VoiceSpeech/call/timeouts';

async function stopped({ signal }: CallTimeouts): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

describe('the class CallTimeouts', () => {
	it('stops a call that is canceled, and leaves no listener', () => {
		const cancel = new AbortController();
		const timeouts = new CallTimeouts({ responseStart: 0 }, cancel.signal);
		cancel.abort();
		expect(timeouts.signal.aborted).toBe(true);
		expect(timeouts.reason).toMatchObject({ message: 'The execution was canceled' });
		timeouts.finish();
		expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
	});

	/** Each has a limit of 0.2 s. */
	it.each<{
		phase: keyof TimeoutLimits;
		/** What happens before the stall, in this order. */
		progress: Array<'onAudioRead' | 'onUploadProgress' | 'onUploadEnd' | 'onResponseProgress'>;
		message: string;
	}>([
		{
			phase: 'opening',
			progress: [],
			message: 'The audio stalled for 0.2 seconds before the upload began',
		},
		{
			phase: 'opening',
			progress: ['onAudioRead'],
			message: 'The audio stalled for 0.2 seconds before the upload began',
		},
		{
			phase: 'upload',
			// Audio is read during the upload too.
			progress: ['onUploadProgress', 'onAudioRead'],
			message: 'The upload stalled for 0.2 seconds and was stopped',
		},
		{
			phase: 'responseStart',
			progress: ['onUploadEnd'],
			message: 'The service did not respond within 0.2 seconds after the upload',
		},
		{
			phase: 'response',
			progress: ['onResponseProgress'],
			message: 'The response stalled for 0.2 seconds and was stopped',
		},
	])('stops a call that stalls in the phase $phase after $progress', async (row) => {
		const { phase, progress, message } = row;
		const begun = Date.now();
		const timeouts = new CallTimeouts({ responseStart: 0, [phase]: 0.2 }, undefined);
		for (const name of progress) timeouts[name]();
		await stopped(timeouts);
		const description = expect.stringMatching(/^\w.+\.$/) as string;
		expect(timeouts.reason).toMatchObject({ message, description });
		expect(Date.now() - begun).toBeGreaterThanOrEqual(195);
		expect(Date.now() - begun).toBeLessThan(2000);
		timeouts.finish();
	});

	it('applies its own limit to each phase, in which every byte counts', async () => {
		const timeouts = new CallTimeouts(
			{ responseStart: 0.3, opening: 0.3, upload: 0.3, response: 0.3 },
			undefined,
		);
		const { onAudioRead, onUploadProgress, onUploadEnd, onResponseProgress } = timeouts;
		const upload = [onAudioRead, onAudioRead, onUploadProgress, onUploadProgress, onUploadEnd];
		for (const progress of [...upload, onResponseProgress, onResponseProgress]) {
			await sleep(120);
			progress();
		}
		expect(timeouts.reason).toBeUndefined();
		timeouts.finish();
	});

	it('waits for the response without a limit if the limit is 0', async () => {
		const timeouts = new CallTimeouts({ responseStart: 0 }, undefined);
		timeouts.onUploadEnd();
		await sleep(100);
		expect(timeouts.signal.aborted).toBe(false);
		timeouts.finish();
	});

	it('waits for storage without a limit, and counts again from the next byte of the response', async () => {
		const timeouts = new CallTimeouts({ responseStart: 0, response: 0.1 }, undefined);
		timeouts.onResponseProgress();
		timeouts.onStoreStart();
		await sleep(300);
		expect(timeouts.signal.aborted).toBe(false);
		timeouts.onResponseProgress();
		await stopped(timeouts);
		expect(timeouts.reason?.message).toMatch(/^The response stalled/);
	});

	it('reports the cancellation even if the call had stalled before', async () => {
		const cancel = new AbortController();
		const timeouts = new CallTimeouts({ responseStart: 0, opening: 0.05 }, cancel.signal);
		await stopped(timeouts);
		cancel.abort();
		expect(timeouts.reason?.message).toBe('The execution was canceled');
	});

	it('reports no stall once the call has finished', async () => {
		const timeouts = new CallTimeouts({ responseStart: 0, upload: 0.05 }, undefined);
		timeouts.onUploadProgress();
		timeouts.finish();
		await sleep(150);
		expect(timeouts.reason).toBeUndefined();
		expect(timeouts.signal.aborted).toBe(true);
	});

	it('counts an upload that goes on after the response has begun, and while it is stored', async () => {
		const limits = { responseStart: 5, upload: 0.3, response: 0.1 };
		const timeouts = new CallTimeouts(limits, undefined);
		const { onUploadProgress, onUploadEnd, onResponseProgress, onStoreStart } = timeouts;
		const whileUploading = [onResponseProgress, onUploadProgress, onUploadProgress];
		onUploadProgress();
		for (const progress of [...whileUploading, onStoreStart, onUploadProgress, onUploadEnd]) {
			progress();
			await sleep(200);
		}
		expect(timeouts.reason).toBeUndefined();
		onResponseProgress();
		await stopped(timeouts);
		expect(timeouts.reason?.message).toMatch(/^The response stalled/);
	});

	it('stays in the last phase if the response begins before the upload has ended', async () => {
		const timeouts = new CallTimeouts({ responseStart: 5, response: 0.2 }, undefined);
		timeouts.onUploadProgress();
		timeouts.onResponseProgress();
		timeouts.onUploadProgress();
		timeouts.onUploadEnd();
		await stopped(timeouts);
		expect(timeouts.reason?.message).toMatch(/^The response stalled/);
	});
});
