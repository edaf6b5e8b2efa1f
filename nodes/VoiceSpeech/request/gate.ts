interface Waiting {
	index: number;
	admit: () => void;
}

/** Lets so many calls through at once, the lowest item first. Without timers. */
export class Gate {
	private waiting: Waiting[] = [];

	private under = 0;

	private opened = false;

	/** @param concurrency how many calls may be under way at once */
	constructor(private readonly concurrency: number) {}

	/** Resolves when it is this item's turn; each turn must be given back with {@link leave}. */
	async turn(index: number): Promise<void> {
		await new Promise<void>((admit) => {
			// Items mostly come in order, so the right place is at or near the end.
			let place = this.waiting.length;
			while (place > this.next && (this.waiting[place - 1]?.index ?? 0) > index) place--;
			this.waiting.splice(place, 0, { index, admit });
			this.admitNext();
		});
	}

	/** Gives a turn back: the next item may go. */
	leave(): void {
		this.under--;
		this.admitNext();
	}

	/** Until then nobody passes. */
	open(): void {
		this.opened = true;
		this.admitNext();
	}

	/** Lets everyone through, now and later: there is nothing left to limit. */
	openForAll(): void {
		this.under = -Infinity;
		this.open();
	}

	private admitNext(): void {
		while (this.opened && this.under < this.concurrency && this.next < this.waiting.length) {
			this.under++;
			this.waiting[this.next++]?.admit();
			// Cut off now and then, not each time: a shift of a long list costs its length.
			if (this.next > 1000) {
				this.waiting = this.waiting.slice(this.next);
				this.next = 0;
			}
		}
	}

	private next = 0;
}
