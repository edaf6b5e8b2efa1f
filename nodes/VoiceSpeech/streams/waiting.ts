import { sleep } from 'n8n-workflow';

import { toError } from '../errors/bases';
import { maxTimerMs, maxBlockingMs } from '../limits';

/** Reason for aborting the signals of calls and runs. Without a reason, Node creates an exception with a stack for each. */
export const abortReason = 'no longer needed';

/**
 * Settles as the promise, or rejects once the signal aborts, because n8n's storage may be slow or never settle.
 *
 * @throws {Error} the reason of the signal, or an error with its text
 */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	let stop = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		stop = () => reject(toError(signal.reason));
	});
	signal.addEventListener('abort', stop);
	if (signal.aborted) stop();
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		// Otherwise the signal would keep the result, which may hold an entire file, in memory.
		signal.removeEventListener('abort', stop);
	}
}

/**
 * Waits with AbortSignal.timeout, because n8n's lint forbids setTimeout. Removes its listeners at the end, so that the
 * timer can be collected.
 *
 * @param milliseconds cut to {@link maxTimerMs}
 * @param stopSignal ends the wait when it aborts. Node warns of more than ten listeners on one signal, so concurrent waits
 * need a signal each.
 */
export async function pause(milliseconds: number, stopSignal: AbortSignal): Promise<void> {
	if (stopSignal.aborted) return;
	const delay = Math.min(Math.max(0, Math.ceil(milliseconds)), maxTimerMs);
	const timer = AbortSignal.timeout(delay);
	await new Promise<void>((resolve) => {
		const end = () => {
			timer.removeEventListener('abort', end);
			stopSignal.removeEventListener('abort', end);
			resolve();
		};
		timer.addEventListener('abort', end);
		stopSignal.addEventListener('abort', end);
	});
}

/*
 * All loops of this process that compute take turns, because the event loop runs all timers that are due before it handles
 * anything else. If each loop waited for a timer of its own, twenty of them would block n8n for twenty times as long. A
 * second copy of this package has turns of its own, so the two together block n8n for at most twice as long.
 */

/** The loops that wait, in the order in which they came. Each function lets one go on. */
type Lane = Set<() => void>;

/** Loops that used up their last turn, such as long conversions. */
const longLane: Lane = new Set();

/** Loops that did not, such as those that mostly wait for n8n. Otherwise, they would wait for a turn of each long one. */
const shortLane: Lane = new Set();

/** The turn in progress, or the last one. */
let turn = { startedAt: -Infinity, isShort: false };

let isTurnDue = false;

const isAnyWaiting = () => longLane.size + shortLane.size > 0;

const isUsedUp = () => performance.now() - turn.startedAt >= maxBlockingMs;

/** Lets one loop go on in the next iteration of the event loop, and then again, while any loop waits. */
async function takeTurns(): Promise<void> {
	if (isTurnDue) return;
	isTurnDue = true;
	while (isAnyWaiting()) {
		// n8n's lint allows no other timer. It takes at least 1 ms, in which n8n can do other work.
		await sleep(0);
		// The lanes alternate, so that many short turns cannot keep the long ones waiting.
		const isShort = longLane.size === 0 || (shortLane.size > 0 && !turn.isShort);
		turn = { startedAt: performance.now(), isShort };
		const [goOn] = isShort ? shortLane : longLane;
		goOn?.();
	}
	isTurnDue = false;
}

/** Yields to the event loop while a loop computes, because n8n does other work in the same thread. */
export class EventLoopYielder {
	/** The last turn of this loop; undefined before its first. */
	private ownTurn: typeof turn | undefined;

	constructor() {
		// If no loop waits, the last turn was probably long ago, and n8n has done other work since.
		if (isUsedUp() && !isAnyWaiting()) turn = { ...turn, startedAt: performance.now() };
	}

	/**
	 * Waits for the next turn if the one in progress, which may be that of another loop, has lasted for
	 * {@link maxBlockingMs}.
	 *
	 * @param signal ends the wait when it aborts
	 */
	async yieldIfDue(signal: AbortSignal): Promise<void> {
		if (!isUsedUp() || signal.aborted) return;
		const lane = this.ownTurn === turn ? longLane : shortLane;
		await new Promise<void>((resolve) => {
			const goOn = () => {
				lane.delete(goOn);
				signal.removeEventListener('abort', goOn);
				this.ownTurn = turn;
				resolve();
			};
			lane.add(goOn);
			signal.addEventListener('abort', goOn);
			void takeTurns();
		});
	}
}
