import { BatchSchedule } from '../../nodes/VoiceSpeech/run/runItems.ts';
import { createRange } from '../support/calls.mts';
import { useClock } from '../support/clock.mts';

const clock = useClock();

/** Lets this many items wait for their batches, and returns when each started, in ms and in the order of the starts. */
function startItems(schedule: BatchSchedule, count: number, { signal } = new AbortController()) {
	const beganAt = performance.now();
	const starts: Array<{ item: number; after: number }> = [];
	for (const item of createRange(count)) {
		void schedule
			.waitForNextItem(signal)
			.then(() => starts.push({ item, after: performance.now() - beganAt }));
	}
	return starts;
}

it.each([
	{ size: 2, afterMs: [0, 0, 100, 100, 200] },
	// An expression can divide.
	{ size: 2.5, afterMs: [0, 0, 0, 100, 100, 200, 200, 200, 300, 300] },
])(
	'starts the items of a batch of $size together, in their order, and each batch after its interval',
	async ({ size, afterMs }) => {
		const schedule = new BatchSchedule({ size, intervalMs: 100 });
		const starts = startItems(schedule, afterMs.length);
		await clock.advance(500);
		expect(starts).toEqual(afterMs.map((after, item) => ({ item, after })));
	},
);

it('counts the intervals from the start of the run, so that a batch starts at once whose time has come', async () => {
	const schedule = new BatchSchedule({ size: 1, intervalMs: 100 });
	const first = startItems(schedule, 1);
	await clock.advance(250);
	const later = startItems(schedule, 3);
	await clock.advance(500);
	expect(first).toEqual([{ item: 0, after: 0 }]);
	expect(later.map(({ after }) => after)).toEqual([0, 0, 50]);
});

it('ends all waits when the run stops', async () => {
	const stop = new AbortController();
	const schedule = new BatchSchedule({ size: 1, intervalMs: 100 });
	const starts = startItems(schedule, 3, stop);
	await clock.advance(50);
	stop.abort();
	await clock.advance(0);
	expect(starts.map(({ after }) => after)).toEqual([0, 50, 50]);
});
