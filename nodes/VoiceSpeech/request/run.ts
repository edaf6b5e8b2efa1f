import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { Attempt, type RunFacts } from './attempt';
import { concurrencyOf } from './options';

type Items = INodeExecutionData[] | undefined;

/** A call that was begun, kept for the next try of Retry On Fail. */
interface Call {
	fingerprint: unknown[];
	/** What it brought, or will bring; nothing where it failed. */
	items: Promise<Items>;
}

/** A node run with all its tries. */
class Run {
	private readonly calls = new Map<number, Call>();

	constructor(public attempt: Attempt) {}

	/** @returns what the very same request of an earlier try has brought */
	async recall(index: number, fingerprint: unknown[]): Promise<Items> {
		const call = this.calls.get(index);
		const same =
			call?.fingerprint.length === fingerprint.length &&
			call.fingerprint.every((part, place) => part === fingerprint[place]);
		return same ? await call.items : undefined;
	}

	keep(index: number, fingerprint: unknown[], items: Promise<Items>): void {
		this.calls.set(index, { fingerprint, items: items.catch(() => undefined) });
	}
}

/**
 * n8n hands the same object to all items of a node run and to all its tries, and a new one to every other run and
 * execution. What is remembered goes with it.
 */
const runs = new WeakMap<object, Run>();

/** As an agent's tool the node is run on behalf of the agent, whose items are not ours. */
function isForAgent(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

/** How many items n8n will hand over; undefined where it can't be known. */
function expectedOf(context: IExecuteSingleFunctions): number | undefined {
	const { data, node } = context.getExecuteData();
	if (isForAgent(context)) return undefined;
	const count = data.main?.[0]?.length;
	return node.executeOnce === true && count !== undefined ? Math.min(1, count) : count;
}

function factsOf(context: IExecuteSingleFunctions): RunFacts {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	return {
		expected: expectedOf(context),
		batched: (batching?.batch?.batchInterval ?? 0) > 0,
		concurrency: concurrencyOf(context),
		cancel: context.getExecutionCancelSignal?.(),
	};
}

/** The run that this item belongs to, in the try that it belongs to. */
export function joinRun(context: IExecuteSingleFunctions): { run: Run; attempt: Attempt } {
	const key = context.getExecuteData();
	const index = context.getItemIndex();
	// An agent's calls of a tool share the agent's object, come at once, and each has but one item, the first.
	let run = isForAgent(context) ? undefined : runs.get(key);
	if (run === undefined) {
		run = new Run(new Attempt(factsOf(context)));
		runs.set(key, run);
	} else if (run.attempt.has(index)) {
		// The same item again: n8n tries once more. No stop of the earlier try binds this one, and what still waits
		// there is not sent any more.
		run.attempt.end();
		run.attempt = new Attempt(factsOf(context));
	}
	run.attempt.arrive(index);
	return { run, attempt: run.attempt };
}

export type { Run };
