import { sleep } from 'n8n-workflow';

/*
 * How n8n's RoutingNode hands over the items of a node run. Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with
 * test/credits/checks-before-sending.test.ts.
 * - It prepares the items in a loop and calls the hook of each at once: without batching, all hooks have been called
 *   before the next macrotask. With batching it sleeps between batches.
 * - An expression that throws never reaches the hook. Without continue on failure, the run is rejected. With it, n8n
 *   2.41.1 makes that item fail and goes on; n8n 2.0.3 rejects the run. The node cannot distinguish that from
 *   missing last items, so it assumes nothing.
 * - RoutingNode attaches rejection handlers only after the last item: an earlier rejection counts as unhandled.
 */

/** What is known of a node run before its items come. */
export interface ArrivalFacts {
	/** Items that n8n hands over; undefined for an agent's tool, whose items are the agent's. */
	expected: number | undefined;
	/** n8n's Batching; undefined without it. */
	batching: { size: number; intervalMs: number } | undefined;
	/** Whether an expression that throws rejects the run on every n8n version. */
	stopsOnFailure: boolean;
}

interface Listener {
	/** No further item comes in this macrotask. */
	onGroup: () => void;
	/** n8n has rejected the run: it ignores what the hooks return. */
	onRejected: () => void;
}

/** The items of one try of a node run, as they come. */
export class Arrivals {
	private readonly indexes = new Set<number>();

	private readonly groups: Array<Promise<void>> = [];

	private isGroupOpen = false;

	private isRejected = false;

	private settle: (isComplete: boolean) => void = () => {};

	/** Resolves with true when all items have come, with false when they never will. */
	private readonly complete = new Promise<boolean>((resolve) => {
		this.settle = resolve;
	});

	constructor(
		private readonly facts: ArrivalFacts,
		private readonly listener: Listener,
	) {}

	/** Whether this item starts a new try: it has come already, or all items have. */
	isNextTry(index: number): boolean {
		const isOver = this.facts.batching === undefined && this.groups.length > 0 && !this.isGroupOpen;
		return isOver || this.indexes.has(index);
	}

	/** An item has come. */
	enter(index: number): void {
		this.indexes.add(index);
		if (this.isGroupOpen) return;
		this.isGroupOpen = true;
		this.groups.push(this.closeGroup());
	}

	/** No outcome of this try counts any more: a new try has begun, or the execution was cancelled. */
	abandon(): void {
		this.settle(false);
	}

	/**
	 * Resolves when an item may be rejected without an unhandled rejection.
	 *
	 * @returns false if n8n ignores the outcome: then nothing may be rejected
	 */
	async mayReject(): Promise<boolean> {
		const { expected, batching } = this.facts;
		if (batching !== undefined && expected !== undefined && !(await this.complete)) return false;
		await this.groups.at(-1);
		return !this.isRejected;
	}

	private async closeGroup(): Promise<void> {
		await sleep(0);
		this.isGroupOpen = false;
		this.listener.onGroup();
		const { expected, batching, stopsOnFailure } = this.facts;
		const came = this.indexes.size;
		const missing = expected === undefined ? 0 : expected - came;
		if (missing <= 0) this.settle(true);
		if (missing <= 0 || !stopsOnFailure) return;
		const isShort = batching === undefined || came % batching.size !== 0;
		// Without an error, the next batch comes first: n8n's own sleep of this length has begun before.
		if (!isShort) await sleep(batching.intervalMs);
		if (this.indexes.size === came) this.reject();
	}

	private reject(): void {
		this.isRejected = true;
		this.settle(false);
		this.listener.onRejected();
	}
}
