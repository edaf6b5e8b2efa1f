import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { maskApiKey } from '../../../credentials/maskApiKey';
import type { Naming } from '../answer/read';
import type { Endpoint } from '../endpoint';
import { CallError } from '../errors/callError';
import { nodeError } from '../errors/nodeError';
import { cancelled, unsentBecause } from '../errors/unsent';
import { lookAhead } from './ahead';
import type { Attempt } from './attempt';
import type { RequestData } from './call';
import { exchangeWith } from './exchange';
import { failedItem, resultItem } from './item';
import { fingerprintOf, planFor, type Plan } from './plan';
import { joinRun, type Run } from './run';

/** One item on its way. */
interface Item {
	context: IExecutePaginationFunctions;
	endpoint: Endpoint;
	requestData: RequestData;
	run: Run;
	attempt: Attempt;
	index: number;
}

/** Nothing comes out: n8n throws the error of another item, or has given up the run, and takes no results. */
const nothing: INodeExecutionData[] = [];

function namingOf({ context, endpoint, requestData, run }: Item, plan: Plan): Naming {
	const { characters } = plan;
	const { voice_id: voiceId } = requestData.options.body as IDataObject;
	const about = endpoint.answer === 'audio' ? { voiceId, characters } : {};
	return {
		outputFileName:
			plan.options.outputFileName || (endpoint.answer === 'audio' ? 'speech' : 'audio'),
		outputPropertyName: String(run.parameter(context, 'outputPropertyName', '') || 'data'),
		about,
	};
}

/** Sends it, and makes an item of what comes back. */
async function send(item: Item, plan: Plan): Promise<INodeExecutionData[] | undefined> {
	const { context, endpoint, requestData, attempt } = item;
	const naming = namingOf(item, plan);
	const result = await exchangeWith(attempt, { context, endpoint, requestData, plan, naming });
	return result && [resultItem(context, result, plan.options)];
}

/** What becomes of an item that could not be sent because the run has ended. */
function unsent({ context, attempt, index }: Item): INodeExecutionData[] {
	const { stop } = attempt;
	if (context.getExecutionCancelSignal?.()?.aborted) throw cancelled();
	if (stop === undefined) return nothing;
	if (context.continueOnFail()) throw unsentBecause(stop.index, stop.error);
	// Seen ahead of its turn, and nothing is wrong with it now: the run has ended because of it all the same.
	if (stop.index === index) throw stop.error;
	return nothing;
}

/** The item's turn has come. */
async function take(item: Item, plan: Plan): Promise<INodeExecutionData[]> {
	const { endpoint, run, index } = item;
	const fingerprint = fingerprintOf(plan, endpoint);
	const paid = await run.recall(index, fingerprint);
	if (paid !== undefined) return paid;
	const sending = send(item, plan);
	if (run.retriesOnFail) run.keep(index, fingerprint, sending);
	return (await sending) ?? unsent(item);
}

/** A failure ends the run where the contract says so (money 3). */
function endRunFor({ context, attempt, index }: Item, error: unknown): void {
	const endsRun = error instanceof CallError && error.endsRun;
	if (endsRun || !context.continueOnFail()) attempt.stopAt(index, error as Error);
}

/** Looks at the item before anything is sent for it, and before any item's call starts. */
async function look(item: Item): Promise<Plan> {
	const { context, endpoint, requestData, run, attempt, index } = item;
	try {
		const plan = await planFor(context, run, endpoint, requestData.options);
		if (attempt.comesAhead(index)) await lookAhead(context, endpoint, run);
		return plan;
	} catch (error) {
		endRunFor(item, error);
		attempt.checked();
		return await Promise.reject(error);
	}
}

async function process(item: Item): Promise<INodeExecutionData[]> {
	const plan = await look(item);
	await item.attempt.turn(item.index);
	try {
		return await take(item, plan);
	} catch (error) {
		endRunFor(item, error);
		return await Promise.reject(error);
	} finally {
		item.attempt.leave();
	}
}

/** The key, to keep it out of every text, however the credential is filled in. */
async function keyOf(context: IExecutePaginationFunctions, run: Run): Promise<string> {
	const { apiKey } = await run.credential(context);
	return String(apiKey ?? '').trim();
}

/**
 * Takes one item from start to end. n8n's RoutingNode calls it as the pagination function of an operation, once
 * for each item: an unusual use of that hook, but the one place where a declarative node can limit how many calls
 * are under way, build a body late, and keep what was paid for when another item fails.
 *
 * @returns one item, paired with its input item
 * @throws NodeApiError or NodeOperationError, where the node is not set to continue on failure
 */
export function sendItem(endpoint: Endpoint) {
	return async function (
		this: IExecutePaginationFunctions,
		requestData: RequestData,
	): Promise<INodeExecutionData[]> {
		const index = this.getItemIndex();
		const { run, attempt } = joinRun(this);
		try {
			return await process({ context: this, endpoint, requestData, run, attempt, index });
		} catch (error) {
			const key = await keyOf(this, run).catch(() => '');
			const shown = nodeError(this.getNode(), index, error, (text) => maskApiKey(text, key));
			const isCancelled = this.getExecutionCancelSignal?.()?.aborted === true;
			if (this.continueOnFail() && !isCancelled) {
				return [failedItem(this, { message: shown.message, description: shown.description ?? '' })];
			}
			if (!(await attempt.heard())) return nothing;
			return await Promise.reject(shown);
		} finally {
			attempt.depart();
		}
	};
}
