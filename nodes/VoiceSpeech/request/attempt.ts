import { sleep } from 'n8n-workflow';

import { Gate } from './gate';
import { pause } from './pause';

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

	private unchecked = 0;

	private gathered = false;

	private holdUntil = 0;

	private whenComplete: () => void = () => {};

	/** Every item has come. Never resolves where one does not: nobody waits for the others then. */
	private readonly complete = new Promise<void>((resolve) => {
		this.whenComplete = resolve;
	});

	/** Set once no further call may start. */
	stop: Stop | undefined;

	/** An expression of a later item threw: n8n has given up the whole run, and takes no result. */
	abandoned = false;

	/** No call may start any more: the run was stopped, cancelled or abandoned. */
	get ended(): boolean {
		return this.over.signal.aborted;
	}

	constructor(private readonly facts: RunFacts) {
		this.gate = new Gate(facts.concurrency);
		facts.cancel?.addEventListener('abort', () => this.end(), { once: true });
		void this.gather();
	}

	/** Whether this item came in this try already: then a new try has begun. */
	has(index: number): boolean {
		return this.present.has(index);
	}

	/** An item has come, and will be looked at. */
	arrive(index: number): void {
		this.present.add(index);
		this.unchecked++;
		if (this.present.size === this.facts.expected) this.whenComplete();
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

	leave(): void {
		this.gate.leave();
	}

	/** No further call starts. The first reason stays. */
	stopAt(index: number, error: Error): void {
		this.stop ??= { index, error };
		this.over.abort();
	}

	/** A call was asked to wait: no other starts meanwhile. */
	holdBack(seconds: number): void {
		this.holdUntil = Math.max(this.holdUntil, Date.now() + seconds * 1000);
	}

	/** Waits as long as the run is held back, or until it is stopped or cancelled. */
	async heldBack(): Promise<void> {
		while (!this.over.signal.aborted && Date.now() < this.holdUntil) {
			await pause(this.holdUntil - Date.now(), this.over.signal);
		}
	}

	/**
	 * Resolves when a rejection is safe: n8n looks at the results only after the last item has come, and an
	 * earlier rejection would count as unhandled.
	 */
	async safeToReject(): Promise<void> {
		if (this.facts.batched && this.facts.expected !== undefined) await this.complete;
	}

	/** Without batching, n8n starts all items in one go: after that, what has come is all that will come. */
	private async gather(): Promise<void> {
		await sleep(0);
		const { batched, expected } = this.facts;
		if (!batched && expected !== undefined && this.present.size < expected) {
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

	private end(): void {
		this.over.abort();
		this.gate.openForAll();
	}
}
