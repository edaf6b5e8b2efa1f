import { maxBlockingMs } from '../../nodes/VoiceSpeech/limits.ts';
import {
	abortReason,
	EventLoopYielder,
	rejectOnAbort,
} from '../../nodes/VoiceSpeech/streams/waiting.ts';
import { createRange } from '../support/calls.mts';
import { settle } from '../support/waiting.mts';

describe('rejectOnAbort', () => {
	const never = new Promise<never>(() => {});

	it.each([
		{ what: 'an error with the text of our own reason', reason: abortReason },
		{ what: 'the error that is the reason of a signal', reason: new Error('timeout') },
	])('rejects with $what', async ({ reason }) => {
		const stop = new AbortController();
		const rejection = rejectOnAbort(never, stop.signal);
		stop.abort(reason);
		const error = await rejection.catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(Error);
		expect((error as Error).message).toBe(reason instanceof Error ? reason.message : reason);
	});

	it('rejects if the signal has aborted before', async () => {
		await expect(rejectOnAbort(never, AbortSignal.abort(abortReason))).rejects.toThrow(abortReason);
	});
});

describe('EventLoopYielder', () => {
	/** The clock of the test, in ms. */
	let now = performance.now();

	beforeEach(() => {
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		now += maxBlockingMs;
	});
	afterEach(() => jest.restoreAllMocks());

	/** A loop that computes for the time of a turn in each step. */
	async function computeLong(
		steps: number,
		onStep: () => void,
		{ signal } = new AbortController(),
	): Promise<void> {
		const eventLoop = new EventLoopYielder();
		for (let step = 0; step < steps; step++) {
			await eventLoop.yieldIfDue(signal);
			if (signal.aborted) return;
			onStep();
			now += maxBlockingMs;
		}
	}

	it('lets one of many loops go on in each turn of the event loop', async () => {
		const loopCount = 20;
		const stepCount = 3;
		let turn = 0;
		const turns: number[] = [];
		const loops = createRange(loopCount).map(
			async () => await computeLong(stepCount, () => turns.push(turn)),
		);
		while (turns.length < loopCount * stepCount) {
			await settle();
			turn++;
		}
		await Promise.all(loops);
		// At the start, each makes one step.
		const later = turns.slice(loopCount);
		expect(new Set(later).size).toBe(later.length);
	});

	/** A loop that computes next to nothing between waits for something else, in which others can use up their turns. */
	async function computeShort(steps: number, onStep: () => void): Promise<void> {
		const eventLoop = new EventLoopYielder();
		const { signal } = new AbortController();
		for (let step = 0; step < steps; step++) {
			await eventLoop.yieldIfDue(signal);
			onStep();
			await settle();
		}
	}

	it('lets a short loop go on before long ones that have waited longer', async () => {
		let waited = 0;
		const waits: number[] = [];
		const long = createRange(20).map(async () => await computeLong(10, () => waited++));
		const short = computeShort(20, () => {
			waits.push(waited);
			waited = 0;
		});
		await Promise.all([...long, short]);
		// At first, nothing shows which loops are long.
		expect(Math.max(...waits.slice(2))).toBeLessThanOrEqual(3);
	});

	it('lets a long loop go on while many short ones wait', async () => {
		let shortSteps = 0;
		let isShortAtEnd = false;
		const short = createRange(30).map(async () => await computeShort(100, () => shortSteps++));
		const long = computeLong(10, () => {}).then(() => {
			isShortAtEnd = shortSteps === 3000;
		});
		await Promise.all([...short, long]);
		expect(isShortAtEnd).toBe(false);
	});

	it('takes a canceled loop out of the queue at once', async () => {
		const controller = new AbortController();
		const steps: string[] = [];
		const canceled = createRange(5).map(
			async () => await computeLong(9, () => steps.push('canceled'), controller),
		);
		const other = computeLong(3, () => steps.push('other'));
		controller.abort();
		// Without a turn of the event loop.
		let isSettled = false;
		const all = Promise.all(canceled).then(() => {
			isSettled = true;
		});
		for (let count = 0; count < 20; count++) await Promise.resolve();
		expect(isSettled).toBe(true);
		await Promise.all([all, other]);
		expect(steps).toEqual(['other', 'other', 'other']);
	});
});
