import { sleep } from 'n8n-workflow';

import { Gate } from './gate';
import { Hold } from './hold';

/** What ended a run early. */
export interface Stop {
	/** Of the item that failed. */
	index: number;
	error: Error;
}

/** What is known of a run when its first item comes. */
export interface RunFacts {
	/** Items of the run; undefined where it can't be known. */
	expected: number | undefined;
	/** n8n spaces the items out: they do not all come at once. */
	batched: boolean;
	concurrency: number;
	cancel: AbortSignal | undefined;
}

/**
 * One try of a node run: what its items share. Under n8n's Retry On Fail each try is a new one.
 */
export class Attempt {
	private readonly present = new Set<number>();

	private readonly gate: Gate;

	private readonly over = new AbortController();

	/** Holds back all calls while one waits to be sent again. */
	readonly hold = new Hold(this.over.signal);

	/** Items that have come and are not out again. */
	private inside = 0;

	private unchecked = 0;

	private gathered = false;

	private whenComplete: () => void = () => {};

	private readonly complete = new Promise<void>((resolve) => {
		this.whenComplete = resolve;
	});

	private readonly gathering: Promise<void>;

	/** Set once no further call may start. */
	stop: Stop | undefined;

	/** n8n gave up the whole run before all items came: an expression threw. It takes no result. */
	abandoned = false;

	constructor(readonly facts: RunFacts) {
		this.gate = new Gate(facts.concurrency);
		this.gathering = this.gather();
	}

	/** No call may start any more: the run was stopped, cancelled or given up. */
	get ended(): boolean {
		return this.over.signal.aborted;
	}

	/** Whether this item came in this try already: then a new try has begun. */
	has(index: number): boolean {
		return this.present.has(index);
	}

	/** Whether this item is the first of several that n8n hands over one after the other. */
	comesAhead(index: number): boolean {
		const [first] = this.present;
		return this.facts.batched && index === first;
	}

	/** An item has come, and will be looked at. To be followed by {@link depart}. */
	arrive(index: number): void {
		const { cancel, expected } = this.facts;
		this.present.add(index);
		this.unchecked++;
		// Only while items are inside: the signal lives as long as the execution, in a loop over many node runs.
		if (this.inside++ === 0) cancel?.addEventListener('abort', this.end);
		if (cancel?.aborted === true) this.end();
		if (this.present.size === expected) this.whenComplete();
	}

	/** The item is out again, whatever became of it. */
	depart(): void {
		if (--this.inside === 0) this.facts.cancel?.removeEventListener('abort', this.end);
	}

	/** The item was looked at, and will not be sent. */
	checked(): void {
		this.unchecked--;
		this.openWhenChecked();
	}

	/** The item was looked at; resolves when it is its turn, which must be given back with {@link leave}. */
	async turn(index: number): Promise<void> {
		// In line first: the last item that was looked at opens the gate, and the lowest in line goes first.
		const turn = this.gate.turn(index);
		this.checked();
		await turn;
	}

	/** Gives a turn back: the next item may go. */
	leave(): void {
		this.gate.leave();
	}

	/** No further call starts. The first reason stays. */
	stopAt(index: number, error: Error): void {
		this.stop ??= { index, error };
		this.over.abort();
	}

	/** No further call starts, and nobody waits any longer. */
	readonly end = (): void => {
		this.over.abort();
		this.gate.openForAll();
	};

	/**
	 * Whether n8n takes the outcome of an item. Resolves when a rejection is safe: n8n looks at the results only
	 * after the last item has come, and an earlier rejection would count as unhandled. Where n8n gives up between
	 * two batches it never resolves, and nobody is left who waits for it.
	 */
	async heard(): Promise<boolean> {
		if (this.facts.batched && this.facts.expected !== undefined) await this.complete;
		await this.gathering;
		return !this.abandoned;
	}

	/** Without batching, n8n starts all items in one go: after that, what has come is all that will come. */
	private async gather(): Promise<void> {
		await sleep(0);
		const { batched, expected } = this.facts;
		if (!batched && this.present.size < (expected ?? 0)) {
			this.abandoned = true;
			this.end();
			return;
		}
		this.gathered = true;
		this.openWhenChecked();
	}

	private openWhenChecked(): void {
		if (this.gathered && this.unchecked === 0) this.gate.open();
	}
}
