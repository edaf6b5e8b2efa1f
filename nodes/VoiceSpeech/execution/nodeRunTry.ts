import type { Item } from './item';
import type { ConcurrencyLimiter } from './limiter';
import { abortReason } from './pause';
import type { ResultCache } from './resultCache';
import type { RateLimitBackoff } from './retry';

/** What the items of one node run share, with all its Retry On Fail tries. */
export interface NodeRun {
	readonly limiter: ConcurrencyLimiter;
	readonly backoff: RateLimitBackoff;
	/** Undefined if n8n does not run the node again. */
	readonly results: ResultCache | undefined;
	/** By item index: whether a request of the item may have been debited. Only items whose request may have left n8n. */
	readonly sent: Map<number, boolean>;
}

/** The item whose failure ended the try. */
export interface RunFailure {
	item: Item;
	/** Its text may still be arriving from the service. */
	error: Error | Promise<Error>;
}

/** Items that n8n hands over together. When the node stops on failure, no call starts before all are checked. */
class CheckGroup {
	/** Unchecked items, plus 1 until n8n has handed over the last item. */
	unchecked = 1;
	private readonly waiting: Array<{ index: number; resolve: () => void }> = [];

	/** An item was checked, with any result; or no further item belongs to the group. */
	checked(): void {
		if (--this.unchecked > 0) return;
		// Calls start in the order of the items, not in the order in which their checks ended.
		this.waiting.sort((a, b) => a.index - b.index).forEach(({ resolve }) => resolve());
	}

	/** Resolves once all items of the group are checked. */
	async allChecked(index: number): Promise<void> {
		if (this.unchecked === 0) return;
		await new Promise<void>((resolve) => this.waiting.push({ index, resolve }));
	}
}

/** One try of a node run, as 'Max. Tries' of n8n's Retry On Fail counts them. Knows whether calls may still start. */
export class NodeRunTry {
	private readonly controller = new AbortController();
	/** Aborts when no further call may start: the try failed, was canceled or rejected by n8n, or the next has begun. */
	readonly ended = this.controller.signal;
	/** Called when the try ends. Not listeners of {@link ended}: Node warns of more than ten on one signal. */
	readonly onEnded = new Set<() => void>();
	/** The failure that ended the try. */
	failure: RunFailure | undefined;
	private group = new CheckGroup();
	private inProgress = 0;

	/**
	 * @param stopsOnFailure any failure ends the try; otherwise only a refused key or wallet does
	 * @param cancel n8n's signal that the execution was canceled; older n8n may have none
	 */
	constructor(
		readonly run: NodeRun,
		readonly stopsOnFailure: boolean,
		readonly cancel: AbortSignal | undefined,
	) {}

	get isCanceled(): boolean {
		return this.cancel?.aborted === true;
	}

	/** An item begins. Each needs a later {@link exit}. */
	enter(): void {
		// Only while items are in progress: the signal lives as long as the execution, which may loop over many runs.
		if (this.inProgress++ === 0) this.cancel?.addEventListener('abort', this.end);
		if (this.isCanceled) this.end();
	}

	/** The item ends, with any outcome. */
	exit(): void {
		if (--this.inProgress === 0) this.cancel?.removeEventListener('abort', this.end);
	}

	/** Adds an item to the group that n8n is handing over. The item must report that it was checked. */
	joinGroup(): CheckGroup {
		this.group.unchecked++;
		return this.group;
	}

	/** Ends the group of items that n8n handed over together; later items form a new one. n8n/handover.ts calls it. */
	closeGroup(): void {
		this.group.checked();
		this.group = new CheckGroup();
	}

	/** A request of an item has left n8n, or may have. */
	recordSent(index: number, mayBeDebited: boolean): void {
		const { sent } = this.run;
		sent.set(index, mayBeDebited || sent.get(index) === true);
	}

	/** Ends the try if the node stops on failure, or if this failure concerns all items. Keeps the first failure. */
	fail(failure: RunFailure, failsAllItems: boolean): void {
		if (!this.stopsOnFailure && !failsAllItems) return;
		if (!this.ended.aborted) this.failure = failure;
		this.end();
	}

	/** No further call starts. n8n/handover.ts calls it if n8n rejected the run, or has begun a new try. */
	readonly end = (): void => {
		if (this.ended.aborted) return;
		this.controller.abort(abortReason);
		this.run.limiter.cancelWaiting();
		this.onEnded.forEach((call) => call());
	};
}
