import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import type { Endpoint } from '../endpoint';
import { canceled, notSentBecause, runRejected } from '../errors/notSent';
import type { NodeRunTry } from '../execution/nodeRunTry';
import { processItem, type Outcome } from '../execution/processItem';
import { contextItem } from './contextItem';
import { joinRun } from './nodeRun';
import { failedItem, nodeError, resultItem } from './outputItem';

/*
 * n8n's RoutingNode calls the pagination function of an operation once for each item. It is an unusual use of this
 * hook, but the only place where a declarative node can limit its calls, build a body when it is sent, and keep paid
 * results when another item fails. Checked on n8n 1.123.81, 2.0.3 and 2.41.1 with test/credits.
 */

/** Why an item did not succeed; undefined if n8n throws another item's error and ignores this one. */
async function errorOf(
	outcome: Exclude<Outcome, { kind: 'succeeded' }>,
	{ isCanceled, failure, stopsOnFailure }: NodeRunTry,
	wasSent: boolean,
): Promise<unknown> {
	if (outcome.kind === 'failed') return outcome.error;
	if (isCanceled) return canceled();
	if (failure === undefined) return runRejected(wasSent);
	if (stopsOnFailure) return undefined;
	const { index, apiKey = '' } = failure.item;
	const { message } = await failure.error;
	return notSentBecause(index, maskApiKey(message, apiKey), wasSent);
}

/** From the request that n8n prepared for an item to its output item. */
async function runItem(
	context: IExecutePaginationFunctions,
	endpoint: Endpoint,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const state = joinRun(context);
	const { handover, sent } = state;
	const { runTry } = handover;
	const index = context.getItemIndex();
	runTry.enter();
	handover.enter(index);
	try {
		const item = contextItem(context, endpoint, requestData, state);
		const outcome = await processItem(item, runTry);
		if (outcome.kind === 'succeeded') return [resultItem(context, outcome)];
		const error = await errorOf(outcome, runTry, sent.has(index));
		if (error === undefined) return [];
		const shown = nodeError(context.getNode(), index, error, item.apiKey, sent.get(index));
		if (runTry.isCanceled) handover.abandon();
		const isThrown = runTry.stopsOnFailure && (await handover.mayReject());
		if (!isThrown) return [failedItem(context, shown)];
		throw shown;
	} finally {
		runTry.exit();
	}
}

/** The routing of an operation: the request that n8n's RoutingNode builds, and the hook that sends it. */
export function route(endpoint: Endpoint): INodePropertyRouting {
	return {
		request: {
			method: 'POST',
			url: endpoint.path,
			// A response may be larger than the memory.
			encoding: 'stream',
			// The hook handles every status; otherwise n8n repeats a call that got a 401.
			ignoreHttpStatusErrors: true,
			// A redirect would carry the key to another origin, and makes n8n's client buffer the body.
			disableFollowRedirect: true,
		},
		send: { paginate: true },
		operations: {
			/**
			 * Returns one item, paired with its input, or none if n8n ignores it. Throws NodeApiError or
			 * NodeOperationError where the node does not continue on failure.
			 */
			async pagination(this: IExecutePaginationFunctions, requestData) {
				return await runItem(this, endpoint, requestData);
			},
		},
	};
}
