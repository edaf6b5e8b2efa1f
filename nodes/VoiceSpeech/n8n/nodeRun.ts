import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { readOption } from '../descriptions/readOptions';
import { ConcurrencyLimiter } from '../execution/limiter';
import { NodeRunTry, type NodeRun } from '../execution/nodeRunTry';
import { ResultCache } from '../execution/resultCache';
import { RateLimitBackoff } from '../execution/retry';
import { maxCredentialReads } from '../limits';
import { ItemHandover, type HandoverFacts } from './handover';

/*
 * Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with test/credits: `getExecuteData()` returns one object for all items of
 * a node run and its Retry On Fail tries, and another one for every other run and execution. For an agent's tool it is
 * the agent's object.
 */

/** The state of one node run, with its current try. */
export class NodeRunState implements NodeRun {
	readonly backoff = new RateLimitBackoff();
	readonly sent = new Map<number, boolean>();
	/** Values of the parameters without an expression, by name. */
	readonly constantParameters = new Map<string, unknown>();
	readonly credentialReads = new ConcurrencyLimiter(maxCredentialReads);
	readonly limiter: ConcurrencyLimiter;
	readonly results: ResultCache | undefined;
	handover: ItemHandover;

	constructor(context: IExecuteSingleFunctions) {
		const concurrency = context.getNodeParameter('options.concurrency', '');
		this.limiter = new ConcurrencyLimiter(readOption('concurrency', concurrency));
		this.results = context.getNode().retryOnFail === true ? new ResultCache() : undefined;
		this.handover = this.begin(context);
	}

	/** Begins the next try: items that still wait in the earlier one are not sent any more. */
	beginTry(context: IExecuteSingleFunctions): void {
		this.handover.abandon();
		this.handover = this.begin(context);
	}

	private begin(context: IExecuteSingleFunctions): ItemHandover {
		const cancel = context.getExecutionCancelSignal?.();
		const runTry = new NodeRunTry(this, !context.continueOnFail(), cancel);
		return new ItemHandover(handoverFacts(context), runTry);
	}
}

/** Whether an agent runs the node as its tool: n8n then executes the agent, whose items are not this node's. */
function isTool(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}

function handoverFacts(context: IExecuteSingleFunctions): HandoverFacts {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 0, batchInterval = 0 } = batching?.batch ?? {};
	const batches = { size: batchSize > 0 ? batchSize : 1, intervalMs: batchInterval };
	const { data, node } = context.getExecuteData();
	const items = data.main?.[0]?.slice(0, node.executeOnce === true ? 1 : Infinity);
	return {
		expected: isTool(context) ? undefined : items?.length,
		batching: batchInterval > 0 ? batches : undefined,
	};
}

const runs = new WeakMap<object, NodeRunState>();

/** The state of the item's node run. Creates it for the first item, and begins the next Retry On Fail try. */
export function joinRun(context: IExecuteSingleFunctions): NodeRunState {
	// An agent's calls of a tool share the agent's object and run at the same time, each as its only item.
	if (isTool(context)) return new NodeRunState(context);
	const key = context.getExecuteData();
	let run = runs.get(key);
	if (run === undefined) {
		run = new NodeRunState(context);
		runs.set(key, run);
	} else if (run.handover.isNextTry(context.getItemIndex())) {
		run.beginTry(context);
	}
	return run;
}
