import { sleep } from 'n8n-workflow';

import type { NodeRunTry } from '../execution/nodeRunTry';

/*
 * How n8n's RoutingNode hands over the items of a node run. Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with
 * test/credits/checks-before-sending.test.ts.
 * - It prepares the items in a loop and calls the hook of each at once: without batching, all hooks have been called
 *   before the next macrotask. With batching it sleeps between batches.
 * - An expression that throws never reaches the hook. Without continue on failure, the run is rejected. With it, n8n
 *   1.123.81 and 2.41.1 make that item fail and go on; n8n 2.0.3 rejects the run. The node cannot distinguish the two,
 *   so it never takes a run that continues on failure as rejected.
 * - RoutingNode attaches rejection handlers only after the last item: an earlier rejection counts as unhandled.
 */

/** Settings of a node run, known before its items enter. */
export interface HandoverFacts {
	/** Items that n8n hands over; undefined for an agent's tool, whose items are the agent's. */
	expected: number | undefined;
	/** n8n's Batching; undefined without it. */
	batching: { size: number; intervalMs: number } | undefined;
}

/** The items of one try of a node run, as n8n hands them over. */
export class ItemHandover {
	private readonly indexes = new Set<number>();
	private isGroupOpen = false;
	/** Resolves when no further item belongs to the group that began last. */
	private lastGroup: Promise<void> | undefined;
	private isRejected = false;
	private settle: (areAll: boolean) => void = () => {};

	/** Resolves with true when all items have entered, with false when they never will. */
	private readonly allEntered = new Promise<boolean>((resolve) => {
		this.settle = resolve;
	});

	constructor(
		private readonly facts: HandoverFacts,
		readonly runTry: NodeRunTry,
	) {}

	/** Whether this item starts a new try: it has entered already, or all items have. */
	isNextTry(index: number): boolean {
		const isOver =
			this.facts.batching === undefined && this.lastGroup !== undefined && !this.isGroupOpen;
		return isOver || this.indexes.has(index);
	}

	/** An item begins. */
	enter(index: number): void {
		this.indexes.add(index);
		if (this.isGroupOpen) return;
		this.isGroupOpen = true;
		this.lastGroup = this.closeGroup();
	}

	/** Ends the try: n8n rejected the run or began a new try, or the execution was canceled. n8n ignores its outcomes. */
	abandon(): void {
		this.settle(false);
		this.runTry.end();
	}

	/** Resolves once n8n has attached its rejection handlers; false if it never will, because it ignores this try. */
	async mayReject(): Promise<boolean> {
		if (this.facts.batching !== undefined && !(await this.allEntered)) return false;
		await this.lastGroup;
		return !this.isRejected;
	}

	private async closeGroup(): Promise<void> {
		await sleep(0);
		this.isGroupOpen = false;
		this.runTry.closeGroup();
		const { expected = 0, batching } = this.facts;
		const entered = this.indexes.size;
		if (entered >= expected) this.settle(true);
		// With continue on failure, an item may be missing although n8n did not reject the run.
		if (entered >= expected || !this.runTry.stopsOnFailure) return;
		const isShort = batching === undefined || entered % batching.size !== 0;
		// Without an error, the next batch enters first: n8n's own sleep of this length has begun before.
		if (!isShort) await sleep(batching.intervalMs);
		if (this.indexes.size > entered) return;
		this.isRejected = true;
		this.abandon();
	}
}
