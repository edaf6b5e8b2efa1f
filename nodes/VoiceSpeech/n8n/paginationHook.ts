import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import type { Endpoint } from '../endpoint';
import { canceled, notSentBecause, runRejected } from '../errors/notSent';
import { processItem, RequestPreparation, type Outcome } from '../execution/processItem';
import { contextItem } from './contextItem';
import { nodeError } from './nodeError';
import { joinRun, type NodeRunState } from './nodeRun';
import { failedItem, resultItem } from './outputItem';

/*
 * n8n's RoutingNode calls the pagination function of an operation once for each item. It is an unusual use of this
 * hook, but the only place where a declarative node can limit its calls, build a body when it is sent, and keep what
 * was paid for when another item fails. Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with
 * test/credits.
 */

/** Why an item did not succeed; undefined if n8n throws another item's error and ignores this one. */
async function errorOf(
	outcome: Outcome,
	stopsOnFailure: boolean,
	wasSent: boolean,
): Promise<unknown> {
	if (outcome.kind === 'failed') return outcome.error;
	if (outcome.kind === 'canceled') return canceled();
	if (outcome.kind === 'sent' || (outcome.because && stopsOnFailure)) return undefined;
	const { because } = outcome;
	if (because === undefined) return runRejected(wasSent);
	const { message } = await because.error;
	const quote = maskApiKey(message, because.apiKey ?? '');
	return notSentBecause(because.index, quote, wasSent);
}

async function run(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
	state: NodeRunState,
): Promise<INodeExecutionData[]> {
	const { batch, arrivals, backoff, limiter, sent } = state;
	const node = context.getNode();
	const preparation = new RequestPreparation(contextItem(context, endpoint, requestData, state));
	const results = node.retryOnFail === true ? state.results : undefined;
	const outcome = await processItem(preparation, { batch, limiter, backoff, results, sent });
	if (outcome.kind === 'sent') return [resultItem(context, outcome.result, outcome.options)];
	const index = context.getItemIndex();
	const wasSent = sent.has(index);
	const error = await errorOf(outcome, batch.stopsOnFailure, wasSent);
	if (error === undefined) return [];
	const shown = nodeError(node, index, error, preparation.apiKey, sent.get(index));
	const failed = () => [
		failedItem(context, { message: shown.message, description: shown.description ?? '' }),
	];
	if (!batch.stopsOnFailure && !batch.isCanceled) return failed();
	if (batch.isCanceled) arrivals.abandon();
	if (!(await arrivals.mayReject())) return failed();
	throw shown;
}

/**
 * Takes one item from start to end.
 *
 * @returns the function that n8n calls for each item: it returns one item, paired with its input, or none if n8n
 * ignores it, or throws NodeApiError
 * or NodeOperationError where the node does not continue on failure
 */
export function paginationHook(endpoint: Endpoint) {
	return async function (
		this: IExecutePaginationFunctions,
		requestData: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const state = joinRun(this);
		const { batch, arrivals } = state;
		batch.enter();
		arrivals.enter(this.getItemIndex());
		try {
			return await run(this, endpoint, requestData, state);
		} finally {
			batch.exit();
		}
	};
}
