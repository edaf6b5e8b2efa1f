import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { RateLimitBackoff } from '../execution/backoff';
import { Batch } from '../execution/batch';
import { ConcurrencyLimiter } from '../execution/limiter';
import { concurrencyFrom } from '../execution/options';
import { ResultCache } from '../execution/resultCache';
import { maxCredentialReads } from '../limits';
import { Arrivals, type ArrivalFacts } from './arrivals';
import { ConstantParameters } from './parameters';

/*
 * Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with test/credits: `getExecuteData()` returns one object for all items of
 * a node run and its Retry On Fail tries, and another one for every other run and execution. For an agent's tool it is
 * the agent's object.
 */

/** What the items of one node run share, with all its Retry On Fail tries. */
export class NodeRunState {
	readonly backoff = new RateLimitBackoff();

	readonly results = new ResultCache();

	/** By item index, once a request has left n8n, or may have: whether it may have been debited. */
	readonly sent = new Map<number, boolean>();

	readonly parameters = new ConstantParameters();

	readonly credentialReads = new ConcurrencyLimiter(maxCredentialReads);

	readonly limiter: ConcurrencyLimiter;

	batch: Batch;

	arrivals: Arrivals;

	constructor(context: IExecuteSingleFunctions) {
		this.limiter = new ConcurrencyLimiter(
			concurrencyFrom(context.getNodeParameter('options.concurrency', '')),
		);
		[this.batch, this.arrivals] = this.begin(context);
	}

	/** Begins the next try: what still waits in the earlier one is not sent any more. */
	beginTry(context: IExecuteSingleFunctions): void {
		this.batch.end();
		this.arrivals.abandon();
		[this.batch, this.arrivals] = this.begin(context);
	}

	private begin(context: IExecuteSingleFunctions): [Batch, Arrivals] {
		const facts = arrivalFacts(context);
		const batch = new Batch(facts.stopsOnFailure, context.getExecutionCancelSignal?.());
		batch.onEnded.add(() => this.limiter.cancelWaiting());
		const arrivals = new Arrivals(facts, {
			onGroup: () => batch.closeGroup(),
			onRejected: () => batch.end(),
		});
		return [batch, arrivals];
	}
}

/** Whether an agent runs the node as its tool: n8n then executes the agent, whose items are not this node's. */
function isTool(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

function expectedItems(context: IExecuteSingleFunctions): number | undefined {
	if (isTool(context)) return undefined;
	const { data, node } = context.getExecuteData();
	const count = data.main?.[0]?.length;
	return node.executeOnce === true && count !== undefined ? Math.min(1, count) : count;
}

function arrivalFacts(context: IExecuteSingleFunctions): ArrivalFacts {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	return {
		expected: expectedItems(context),
		batching:
			batchInterval > 0
				? { size: batchSize > 0 ? batchSize : 1, intervalMs: batchInterval }
				: undefined,
		stopsOnFailure: !context.continueOnFail(),
	};
}

const runs = new WeakMap<object, NodeRunState>();

/** The run that an item belongs to, in its present try. */
export function joinRun(context: IExecuteSingleFunctions): NodeRunState {
	// An agent's calls of a tool share the agent's object and run at the same time, each as its only item.
	if (isTool(context)) return new NodeRunState(context);
	const key = context.getExecuteData();
	let run = runs.get(key);
	if (run === undefined) {
		run = new NodeRunState(context);
		runs.set(key, run);
	} else if (run.arrivals.isNextTry(context.getItemIndex())) {
		run.beginTry(context);
	}
	return run;
}
