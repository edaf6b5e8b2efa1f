import {
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodePropertyRouting,
	type INodeType,
	type NodeError,
	sleep,
} from 'n8n-workflow';

import { Admission } from '../call/admission';
import { createFailure } from '../call/item';
import type { Operation } from '../descriptions/operation';
import { rethrow } from '../errors/bases';
import { createOperationNotChosenError } from '../errors/inputError';
import { type DebitRecord, notSentRecord, RunState } from '../run/runState';
import { createNodeError } from './errors';
import { createHookItem, createLoopItems, isTool, type NodeItem, readHookInput } from './nodeItem';
import { createFailedItem } from './outputItem';
import { runOperation } from './runOperation';

/*
 * n8n calls `customOperations` with all items of a node run, for workflows and for the tools of AI Agent version 3.
 * test/credits and test/versions check it on every n8n of test/support/n8nVersions.mts.
 */

/** n8n gives one object to all tries of a node run (Retry On Fail), and another one to every other run and execution. */
const states = new WeakMap<object, RunState>();

function getRunState(context: IExecuteFunctions): RunState {
	const key = context.getExecuteData();
	const state = states.get(key) ?? new RunState();
	states.set(key, state);
	return state;
}

/** The functions that n8n calls with all items of a node run, by resource and operation. */
export function createCustomOperations(operations: Operation[]): INodeType['customOperations'] {
	// Without a prototype, n8n finds no function for an operation such as 'constructor'.
	const functions = Object.create(null) as NonNullable<INodeType['customOperations']>;
	for (const operation of operations) {
		functions[operation.resource] ??= Object.create(null) as (typeof functions)[string];
		const ofResource = functions[operation.resource] as (typeof functions)[string];
		ofResource[operation.value] = async function (this: IExecuteFunctions) {
			const inputItems = createLoopItems(this, operation);
			const { items, hints } = await runOperation(this, inputItems, getRunState(this));
			if (hints.length > 0) this.addExecutionHints(...hints);
			return [items];
		};
	}
	return functions;
}

/*
 * n8n's RoutingNode calls the pagination hook once for each item. It does so for the tools of agents before version 3,
 * where each use is usually one item, with Engine 2.0, and if Resource or Operation is an expression or unknown. Without
 * n8n's Batching, it hands over all items in one turn of the event loop.
 * test/engine/routing.test.mts checks it on every n8n of test/support/n8nVersions.mts.
 */

/**
 * What is known about the debits of earlier uses of an agent's tools; the key is n8n's object for the agent. With Retry On
 * Fail, a later use may be another try of the same call, so an agent is added once one of its tools has sent a request.
 */
const earlierDebits = new WeakMap<object, DebitRecord>();

/** Runs an operation for one item of a tool's use, as a node run of its own. */
async function runTool(
	context: IExecutePaginationFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	// All uses of an agent's tools share one object, so the tries of one use cannot be told apart from other uses.
	const agent = context.getExecuteData();
	const state = new RunState(earlierDebits.get(agent));
	const item = createHookItem(context, operation, 1);
	try {
		const { items } = await runOperation(context, [item], state);
		return items;
	} finally {
		const mayBeTriedAgain = context.getNode().retryOnFail === true;
		const { debit, consoleLabel } = state.getDebitRecord(item.index);
		if (mayBeTriedAgain && debit !== 'notSent') {
			earlierDebits.set(agent, { debit: 'possible', consoleLabel });
		}
	}
}

/**
 * Fails an item whose Resource or Operation is unknown.
 *
 * @throws {NodeOperationError} if the node stops on failure
 */
async function rejectOperation(context: IExecutePaginationFunctions): Promise<INodeExecutionData> {
	const input = readHookInput(context);
	const failure = createFailure(input.index, createOperationNotChosenError());
	const details = { debitRecord: notSentRecord, isOnlyItem: true, isLocal: false };
	const error = await createNodeError(context.getNode(), failure, details);
	if (!context.continueOnFail()) throw error;
	return createFailedItem(context.getNode(), input, error, notSentRecord.debit);
}

/** An item that waits for its turn. */
interface QueuedItem {
	context: IExecutePaginationFunctions;
	item: NodeItem;
}

/** One try of a node run whose items come one by one. */
interface HookTry {
	lastIndex: number;
	arrived: number;
	/** The items that came in the same turn of the event loop. */
	batch: QueuedItem[];
	/** The output items of the last batch. */
	outcome: Promise<INodeExecutionData[]>;
	admission: Admission;
	/** Resolves once all items of the run have come. */
	allArrived: Promise<void>;
	onAllArrived: () => void;
}

/** What the tries of such a node run share; the key is n8n's object for the run. */
interface HookRun {
	state: RunState;
	current: HookTry | undefined;
	/** The calls so far. Calls of the run never overlap. */
	last: Promise<unknown>;
}

const hookRuns = new WeakMap<object, HookRun>();

function createTry(context: IExecutePaginationFunctions, { backoff }: RunState): HookTry {
	let onAllArrived = () => {};
	const allArrived = new Promise<void>((resolve) => {
		onAllArrived = resolve;
	});
	return {
		lastIndex: -1,
		arrived: 0,
		batch: [],
		outcome: Promise.resolve([]),
		admission: new Admission(
			!context.continueOnFail(),
			context.getExecutionCancelSignal?.(),
			backoff,
		),
		allArrived,
		onAllArrived,
	};
}

/** The number of items of the node run that n8n hands over. */
function countItems(context: IExecutePaginationFunctions): number {
	const { data } = context.getExecuteData();
	const count = data.main?.[0]?.length ?? 1;
	return context.getNode().executeOnce === true ? 1 : count;
}

/** Whether RoutingNode waits between batches, so that items come later. */
function isSpaced(context: IExecutePaginationFunctions): boolean {
	const interval = context.getNodeParameter(
		'requestOptions.batching.batch.batchInterval',
		0 as unknown as object,
	);
	return Number(interval) > 0;
}

/** Whether an output item belongs to the input item with this index. */
function isOf(pairedItem: INodeExecutionData['pairedItem'], index: number): boolean {
	return typeof pairedItem === 'object' && 'item' in pairedItem && pairedItem.item === index;
}

const never = async () => await new Promise<never>(() => {});

/**
 * Runs the items that came in the same turn, after those that came before.
 *
 * @returns the output items, each paired with its input
 * @throws {NodeApiError | NodeOperationError} if the node stops on failure
 */
async function runBatch(
	run: HookRun,
	one: HookTry,
	batch: QueuedItem[],
): Promise<INodeExecutionData[]> {
	const [{ context }] = batch as [QueuedItem];
	const isComplete = one.arrived === countItems(context) || isSpaced(context);
	// The expression of another item has thrown, and n8n has already failed the run.
	if (!context.continueOnFail() && !isComplete) return await never();
	const items = batch.map(({ item }) => item);
	const shared = { admission: one.admission, itemCount: countItems(context) };
	const { items: outputItems } = await runOperation(context, items, run.state, shared);
	return outputItems;
}

/**
 * Runs an item of a node run that n8n hands over item by item. All items that come in the same turn of the event loop are
 * checked before the first call, and calls are made one after the other.
 */
async function runQueued(
	context: IExecutePaginationFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const key = context.getExecuteData();
	const run = hookRuns.get(key) ?? {
		state: new RunState(),
		current: undefined,
		last: Promise.resolve(),
	};
	hookRuns.set(key, run);
	const item = createHookItem(context, operation, countItems(context));
	// An index that does not ascend is that of a new try.
	const isNewTry = run.current === undefined || item.index <= run.current.lastIndex;
	const one = isNewTry ? createTry(context, run.state) : (run.current as HookTry);
	run.current = one;
	one.lastIndex = item.index;
	one.arrived++;
	if (one.arrived === countItems(context)) one.onAllArrived();
	one.batch.push({ context, item });
	if (one.batch.length === 1) {
		const { last } = run;
		one.outcome = sleep(0).then(async () => {
			const batch = one.batch.splice(0);
			await last;
			return await runBatch(run, one, batch);
		});
		run.last = one.outcome.catch(() => {});
	}
	const { outcome } = one;
	try {
		const outputItems = await outcome;
		return outputItems.filter(({ pairedItem }) => isOf(pairedItem, item.index));
	} catch (error) {
		// RoutingNode handles a rejection only once it has handed over all items, and throws that of the first item.
		await one.allArrived;
		const { itemIndex } = (error as NodeError).context;
		if (itemIndex === item.index) return rethrow(error);
		return [];
	}
}

/**
 * The routing of 'Resource'. n8n applies it to every request of its RoutingNode, because this parameter is always shown.
 * So n8n never sends a request that this package has not prepared.
 */
export function createPaginationRouting(operations: Operation[]): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions) {
				const resource = String(this.getNodeParameter('resource', ''));
				const name = String(this.getNodeParameter('operation', ''));
				const operation = operations.find(
					(candidate) => candidate.resource === resource && candidate.value === name,
				);
				if (operation === undefined) return [await rejectOperation(this)];
				if (isTool(this)) return await runTool(this, operation);
				return await runQueued(this, operation);
			},
		},
	};
}
