import { sleep } from 'n8n-workflow';

import { maxBlockingMs } from '../limits';

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
