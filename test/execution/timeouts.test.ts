/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { sleep } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import { CallTimeouts, type TimeoutLimits } from '../../nodes/VoiceSpeech/execution/timeouts';

async function stopped({ signal }: CallTimeouts): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

describe('CallTimeouts', () => {
	it('stops a call that is canceled', () => {
		const cancel = new AbortController();
		const timeouts = new CallTimeouts({ waiting: 0 }, cancel.signal);
		cancel.abort();
		expect(timeouts.signal.aborted).toBe(true);
		expect(timeouts.reason).toMatchObject({ message: 'The execution was canceled' });
		timeouts.end();
		expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(0);
	});

	type Progress = 'opening' | 'uploading' | 'uploaded' | 'received';

	/** Each has a limit of 0.2 s. */
	it.each<[phase: keyof TimeoutLimits, Progress[], message: string]>([
		['opening', [], 'The audio stalled for 0.2 seconds before the upload began'],
		['opening', ['opening'], 'The audio stalled for 0.2 seconds before the upload began'],
		// Audio is read during the upload too.
		['upload', ['uploading', 'opening'], 'The upload stalled for 0.2 seconds and was stopped'],
		['waiting', ['uploaded'], 'The service did not respond within 0.2 seconds after the upload'],
		['response', ['received'], 'The response stalled for 0.2 seconds and was stopped'],
	])('stops a call that stalls, phase %s after %j', async (phase, progress, message) => {
		const begun = Date.now();
		const timeouts = new CallTimeouts({ waiting: 0, [phase]: 0.2 }, undefined);
		const debit = phase === 'opening' ? undefined : 'possible';
		for (const name of progress) timeouts[name]();
		await stopped(timeouts);
		const description = expect.stringMatching(/^\w.+\.$/) as string;
		expect(timeouts.reason).toMatchObject({ message, description, debit });
		expect(Date.now() - begun).toBeGreaterThanOrEqual(195);
		expect(Date.now() - begun).toBeLessThan(2000);
		timeouts.end();
	});

	it('has its own limit for each phase, in which every byte counts', async () => {
		const timeouts = new CallTimeouts(
			{ waiting: 0.3, opening: 0.3, upload: 0.3, response: 0.3 },
			undefined,
		);
		const { opening, uploading, uploaded, received } = timeouts;
		for (const arrive of [opening, opening, uploading, uploading, uploaded, received, received]) {
			await sleep(120);
			arrive();
		}
		expect(timeouts.reason).toBeUndefined();
		timeouts.end();
	});

	it('waits for the response without a limit where there is none', async () => {
		const timeouts = new CallTimeouts({ waiting: 0 }, undefined);
		timeouts.uploaded();
		await sleep(100);
		expect(timeouts.signal.aborted).toBe(false);
		timeouts.end();
	});

	it('says nothing of a stall once the call has finished', async () => {
		const timeouts = new CallTimeouts({ waiting: 0, upload: 0.05 }, undefined);
		timeouts.uploading();
		timeouts.end();
		await sleep(150);
		expect(timeouts.reason).toBeUndefined();
		expect(timeouts.signal.aborted).toBe(true);
	});

	it('counts an upload that goes on after the response has begun, and while it is stored', async () => {
		const limits = { waiting: 5, upload: 0.3, response: 0.1 };
		const timeouts = new CallTimeouts(limits, undefined);
		const { uploading, uploaded, received, storing } = timeouts;
		uploading();
		for (const progress of [received, uploading, uploading, storing, uploading, uploaded]) {
			progress();
			await sleep(200);
		}
		expect(timeouts.reason).toBeUndefined();
		received();
		await stopped(timeouts);
		expect(timeouts.reason?.message).toMatch(/^The response stalled/);
	});

	it('stays in the last phase where the response begins before the upload has ended', async () => {
		const timeouts = new CallTimeouts({ waiting: 5, response: 0.2 }, undefined);
		timeouts.uploading();
		timeouts.received();
		timeouts.uploading();
		timeouts.uploaded();
		await stopped(timeouts);
		expect(timeouts.reason?.message).toMatch(/^The response stalled/);
	});
});
