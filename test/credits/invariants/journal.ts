import type { Call, History } from './history';
import { endsRun, isRepeated, retryAfterOf, type Reply } from './reply';
import { batchInterval } from './scene';

/** Records what the actions of a scene mean for the run. */
export class Journal {
	/** End of the pauses that a run may leave behind, in ms. */
	private timeLeft = 0;

	constructor(private readonly history: History) {}

	/** Whether a call may still come that a back-off or a pause between batches held back. */
	isTimeLeft(): boolean {
		return Date.now() < this.timeLeft;
	}

	/**
	 * Records what a reply means for the run.
	 *
	 * @returns how long the service asks to wait before the call is repeated, in ms; undefined if it is not repeated
	 */
	reply(call: Call, reply: Reply): number | undefined {
		call.reply = reply;
		if (reply === '200') return undefined;
		const { history } = this;
		const { scene } = history;
		const repetitions = history.callsOf(call.item, call.try).indexOf(call);
		if (!isRepeated(reply, repetitions, scene.rateLimitRetries)) {
			this.fail(call.item, call.try, endsRun(reply));
			return undefined;
		}
		const wait = Number(retryAfterOf(reply)) * 1000;
		if (wait === 0) return 0;
		const until = Date.now() + wait;
		history.backOffs.push({ try: call.try, step: history.step, until, isAlone: this.isAlone() });
		this.timeLeft = Math.max(this.timeLeft, until + 5);
		return wait;
	}

	/** Records that an item fails now. */
	fail(item: number, inTry: number, ends: boolean): void {
		const { step, failures, scene } = this.history;
		failures.push({ item, try: inTry, step, endsRun: ends, isAlone: this.isAlone() });
		if (scene.batchSize > 0) {
			const batches = Math.ceil(scene.items.length / scene.batchSize);
			this.timeLeft = Math.max(this.timeLeft, Date.now() + batches * batchInterval);
		}
	}

	/** If the item's call has not begun, the node may not be reading, and notice it later. */
	breakAudio(item: number, inTry: number): void {
		const call = this.history.callsOf(item, inTry).at(-1);
		if (call?.isComplete === false) this.fail(item, inTry, false);
		this.history.broken.add(item);
	}

	/** Whether no timer can start a call at the same time as this action. */
	isAlone(): boolean {
		const now = Date.now();
		return (
			this.history.scene.batchSize === 0 &&
			this.history.backOffs.every(({ until }) => now > until + 20)
		);
	}

	/** If a timer of n8n ends the try, the node finds out by a timer of its own, a moment later. */
	isLate(): boolean {
		const end = this.history.tries.at(-1)?.endStep;
		return end !== undefined && (end < this.history.step || this.isAlone());
	}
}
