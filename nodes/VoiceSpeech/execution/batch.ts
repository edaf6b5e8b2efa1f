import { abortReason } from './pause';

/** The item whose failure ended the run. */
export interface RunFailure {
	index: number;
	/** Its text may still be arriving from the service. */
	error: Error | Promise<Error>;
	/** Hidden where the error is quoted; undefined if the credential was not read. */
	apiKey: string | undefined;
}

/** Items that n8n hands over together. When the node stops on failure, no call starts before all are checked. */
class CheckGroup {
	private unchecked = 0;

	private complete = false;

	private waiting: Array<{ index: number; resolve: () => void }> = [];

	enter(): void {
		this.unchecked++;
	}

	/** An item was checked, with any result. */
	checked(): void {
		this.unchecked--;
		this.openWhenChecked();
	}

	/** No further item belongs to the group. */
	close(): void {
		this.complete = true;
		this.openWhenChecked();
	}

	/** Resolves once all items of the group were checked. */
	async allChecked(index: number): Promise<void> {
		if (this.isOpen) return;
		await new Promise<void>((resolve) => this.waiting.push({ index, resolve }));
	}

	private get isOpen(): boolean {
		return this.complete && this.unchecked === 0;
	}

	private openWhenChecked(): void {
		if (!this.isOpen) return;
		// Calls start in the order of the items, not in the order in which their checks ended.
		const waiting = this.waiting.sort((a, b) => a.index - b.index);
		this.waiting = [];
		waiting.forEach(({ resolve }) => resolve());
	}
}

/** One try of a node run: n8n's Retry On Fail makes a new one. Knows whether calls may still start. */
export class Batch {
	private readonly controller = new AbortController();

	private group = new CheckGroup();

	private entered = 0;

	/** Called when the run ends. Not listeners of {@link ended}: Node warns of more than ten on one signal. */
	readonly onEnded = new Set<() => void>();

	/** Set when a failure ended the run. */
	failure: RunFailure | undefined;

	/**
	 * @param stopsOnFailure any failure ends the run; otherwise only a refused key or wallet does
	 * @param cancel n8n's signal that the execution was cancelled
	 */
	constructor(
		readonly stopsOnFailure: boolean,
		readonly cancel: AbortSignal | undefined,
	) {}

	/** Aborts when no further call may start: the run failed, was cancelled, or n8n rejected it. */
	get ended(): AbortSignal {
		return this.controller.signal;
	}

	get isCanceled(): boolean {
		return this.cancel?.aborted === true;
	}

	/** An item begins. Each needs a later {@link exit}. */
	enter(): void {
		// Only while items are in progress: the signal lives as long as the execution, which may loop over many runs.
		if (this.entered++ === 0) this.cancel?.addEventListener('abort', this.end);
		if (this.isCanceled) this.end();
	}

	/** The item ends, with any outcome. */
	exit(): void {
		if (--this.entered === 0) this.cancel?.removeEventListener('abort', this.end);
	}

	/** Ends the group of items that n8n handed over together; later items form a new one. */
	closeGroup(): void {
		this.group.close();
		this.group = new CheckGroup();
	}

	/** Adds an item to the group that n8n is handing over. The item must report that it was checked. */
	joinGroup(): CheckGroup {
		this.group.enter();
		return this.group;
	}

	/** Ends the run if this failure concerns all items. The first failure stays. */
	fail(failure: RunFailure, failsAllItems: boolean): void {
		if (!this.stopsOnFailure && !failsAllItems) return;
		if (!this.ended.aborted) this.failure = failure;
		this.end();
	}

	/** No further call starts. */
	readonly end = (): void => {
		if (this.ended.aborted) return;
		this.controller.abort(abortReason);
		this.onEnded.forEach((call) => call());
	};
}
