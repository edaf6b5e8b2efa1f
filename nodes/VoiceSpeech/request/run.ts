import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { Attempt, type RunFacts } from './attempt';
import { concurrencyOf } from './options';

/** An answer that was paid for, kept for the next try of Retry On Fail. */
interface Paid {
	fingerprint: unknown[];
	items: INodeExecutionData[];
}

/** A node run with all its tries. */
class Run {
	private readonly paid = new Map<number, Paid>();

	constructor(public attempt: Attempt) {}

	/** @returns the answer to the very same request of an earlier try */
	recall(index: number, fingerprint: unknown[]): INodeExecutionData[] | undefined {
		const kept = this.paid.get(index);
		const same =
			kept !== undefined &&
			kept.fingerprint.length === fingerprint.length &&
			kept.fingerprint.every((part, place) => part === fingerprint[place]);
		return same ? kept.items : undefined;
	}

	keep(index: number, fingerprint: unknown[], items: INodeExecutionData[]): void {
		this.paid.set(index, { fingerprint, items });
	}
}

/**
 * n8n hands the same object to all items of a node run and to all its tries, and a new one to every other run and
 * execution. What is remembered goes with it.
 */
const runs = new WeakMap<object, Run>();

function factsOf(context: IExecuteSingleFunctions): RunFacts {
	const { data, node } = context.getExecuteData();
	// As an agent's tool the node is run on behalf of the agent, whose items are not ours.
	const ours = node.name === context.getNode().name;
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	return {
		expected: ours ? data.main?.[0]?.length : undefined,
		batched: (batching?.batch?.batchInterval ?? 0) > 0,
		concurrency: concurrencyOf(context),
		cancel: context.getExecutionCancelSignal?.(),
	};
}

/** The run that this item belongs to, in the try that it belongs to. */
export function joinRun(context: IExecuteSingleFunctions): { run: Run; attempt: Attempt } {
	const key = context.getExecuteData();
	const index = context.getItemIndex();
	let run = runs.get(key);
	if (run === undefined) {
		run = new Run(new Attempt(factsOf(context)));
		runs.set(key, run);
	} else if (run.attempt.has(index)) {
		// The same item again: n8n tries once more, and no stop of the earlier try binds this one.
		run.attempt = new Attempt(factsOf(context));
	}
	run.attempt.arrive(index);
	return { run, attempt: run.attempt };
}

export type { Run };
