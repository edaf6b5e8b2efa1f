import { Admission } from '../call/admission';
import { type AnyItem, isLocalItem, type Item, type ItemFailure } from '../call/item';
import { EventLoopYielder, pause } from '../streams/waiting';
import { callItem, runLocally } from './callItem';
import { checkAllItems, checkItem, type ItemCheck } from './checkItem';
import { createCanceledOutcome, type ItemOutcome, type RunState } from './runState';

/**
 * Settings of n8n's Batching. `size` items are a batch, and the next batch may start after `intervalMs`. The size may have
 * a fraction, because an expression can divide. Batches then differ by one item.
 */
export interface Batching {
	size: number;
	intervalMs: number;
}

/** When the batches of n8n's Batching start. */
export class BatchSchedule {
	/** A time of `performance.now()`, in ms. */
	private readonly startedAt = performance.now();
	private itemCount = 0;
	private lastBatch = 0;
	private lastStart = Promise.resolve();

	constructor(private readonly batching: Batching) {}

	/**
	 * Adds the next item to the last batch, or to a new one if that has all of its items, and waits until the batch starts,
	 * or the signal aborts. All items of a batch wait for the same promise, because timers of their own could end in another
	 * order.
	 */
	async waitForNextItem(stopSignal: AbortSignal): Promise<void> {
		const { size, intervalMs } = this.batching;
		const batch = Math.floor(this.itemCount / size);
		this.itemCount++;
		if (batch > this.lastBatch) {
			this.lastBatch = batch;
			const startTime = this.startedAt + batch * intervalMs;
			this.lastStart = this.lastStart.then(async () => {
				const waitMs = startTime - performance.now();
				if (waitMs > 0) await pause(waitMs, stopSignal);
			});
		}
		await this.lastStart;
	}
}

export interface RunSettings {
	/** Maximum number of calls in progress, at least 1. */
	concurrency: number;
	batching: Batching;
	/** Any failure stops the run, and n8n discards the results. */
	stopsOnFailure: boolean;
	/** n8n's signal that the execution was canceled. */
	cancelSignal: AbortSignal | undefined;
}

/** Outcome of one try of a node run: an outcome for each item, in input order, or the failure that stopped the run. */
export type RunOutcome =
	| { kind: 'completed'; outcomes: ItemOutcome[] }
	| { kind: 'failed'; failure: ItemFailure };

function isKeyRefused(check: ItemCheck, admission: Admission): boolean {
	if (check.kind !== 'ready') return false;
	return admission.findBlock(check.request.credential.apiKey)?.kind === 'keyRefused';
}

/**
 * Runs the items in one try of a node run, at most `concurrency` at a time, in their order.
 *
 * If the node stops on failure, all items are checked before the first call, and no call starts after a failure. Otherwise
 * each item is checked directly before its call, and a failure concerns only its own item, except that after a refused key
 * (401) or wallet (402) no call with the same key starts.
 *
 * Resolves when no call is in progress any more. Does not reject.
 *
 * @param admission of the try, if it has other items too
 */
export async function runItems(
	items: AnyItem[],
	state: RunState,
	{ concurrency, batching, stopsOnFailure, cancelSignal }: RunSettings,
	admission = new Admission(stopsOnFailure, cancelSignal, state.backoff),
): Promise<RunOutcome> {
	if (admission.runFailure !== undefined) return { kind: 'failed', failure: admission.runFailure };
	let itemChecks: Array<ItemCheck | undefined> | undefined;
	if (stopsOnFailure) {
		const check = await checkAllItems(items, state, admission);
		if (check.kind === 'failed') {
			admission.reportFailure(check.failure);
			return check;
		}
		itemChecks = check.itemChecks;
	}
	const outcomes: Array<ItemOutcome | undefined> = [];
	const schedule = new BatchSchedule(batching);
	const eventLoop = new EventLoopYielder();
	/** All workers take their items from it. */
	const queue = items.entries();

	/** Waits for the batch of an item, if there are batches, and checks it then, unless it was checked before. */
	async function checkInBatch(
		item: Item,
		earlierCheck: ItemCheck | undefined,
		signals: { cancel: AbortSignal; stop: AbortSignal },
	): Promise<ItemCheck> {
		const check = async () => earlierCheck ?? (await checkItem(item, state, false, signals.cancel));
		if (batching.intervalMs === 0) return await check();
		const hasPaid = state.getLastPaid(item.index) !== undefined;
		if (admission.hasRefusedKey || hasPaid) {
			const checked = await check();
			// An item with an earlier result or a refused key makes no call, so it takes no place in a batch. Any other waits for
			// its batch. It is checked again then, unless all items were checked before the first call.
			const isFromEarlierTry = hasPaid && checked.kind !== 'ready';
			if (isFromEarlierTry || isKeyRefused(checked, admission)) return checked;
		}
		await schedule.waitForNextItem(signals.stop);
		return await check();
	}

	async function runWorker(): Promise<void> {
		const signals = { cancel: admission.createCancelSignal(), stop: admission.createStopSignal() };
		for (;;) {
			await eventLoop.yieldIfDue(signals.stop);
			if (signals.stop.aborted) return;
			const next = queue.next();
			if (next.done === true) return;
			const [position, item] = next.value;
			if (isLocalItem(item)) {
				outcomes[position] = await runLocally(item, admission, state);
				continue;
			}
			const check = await checkInBatch(item, itemChecks?.[position], signals);
			const isReady = check.kind === 'ready';
			outcomes[position] = isReady ? await callItem(item, check, admission, state) : check;
		}
	}

	const workerCount = Math.min(Math.floor(concurrency), items.length);
	await Promise.all(Array.from({ length: workerCount }, runWorker));

	if (admission.runFailure !== undefined) return { kind: 'failed', failure: admission.runFailure };
	// Without a failure of the run, only a cancellation leaves items that were not started.
	const allOutcomes = items.map(
		({ index }, position) => outcomes[position] ?? createCanceledOutcome(index, state),
	);
	// If failures stop the run, one has returned above, so an unsuccessful outcome is that of a cancellation.
	const firstUnsuccessful = allOutcomes.find((outcome) => outcome.kind !== 'succeeded');
	if (stopsOnFailure && firstUnsuccessful !== undefined) {
		return { kind: 'failed', failure: firstUnsuccessful.failure };
	}
	state.hasAllResults = firstUnsuccessful === undefined;
	return { kind: 'completed', outcomes: allOutcomes };
}
