import { settleAll } from './waiting.mts';

/** Longest delay of a timer, in ms. */
const maxDelay = 2 ** 31 - 1;

/**
 * Time that passes only when the test advances it: `performance.now` and `AbortSignal.timeout`, which the node measures and
 * waits with (`nodes/VoiceSpeech/streams/waiting.ts`), and `Date.now`. Other timers, with which the node yields to the
 * event loop, and I/O go on as usual, so this is not for tests with sockets.
 */
class Clock {
	private now = 0;

	/** How far the system's clock was set forward, in ms. */
	private correction = 0;

	private readonly timers = new Set<{ end: number; controller: AbortController }>();

	start(): void {
		this.now = Date.now();
		this.timers.clear();
		this.correction = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => this.now + this.correction);
		jest.spyOn(performance, 'now').mockImplementation(() => this.now);
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((delay) => this.createTimer(delay));
	}

	/** Advances the time, and lets everything that happens until then go on at its own time. */
	async advance(milliseconds: number): Promise<void> {
		const end = this.now + milliseconds;
		await settleAll();
		for (;;) {
			const [next] = [...this.timers].sort((a, b) => a.end - b.end);
			if (next === undefined || next.end > end) break;
			this.timers.delete(next);
			this.now = next.end;
			next.controller.abort();
			await settleAll();
		}
		this.now = end;
	}

	/** Sets the system's clock forward, or back if negative, as a time server may. No time passes. */
	correct(milliseconds: number): void {
		this.correction += milliseconds;
	}

	private createTimer(delay: number): AbortSignal {
		if (delay > maxDelay) throw new RangeError(`Node has no timer of ${delay} ms`);
		const controller = new AbortController();
		this.timers.add({ end: this.now + delay, controller });
		return controller.signal;
	}
}

/** Gives each test a clock of its own. */
export function useClock(): Clock {
	const clock = new Clock();
	beforeEach(() => clock.start());
	afterEach(() => jest.restoreAllMocks());
	return clock;
}
