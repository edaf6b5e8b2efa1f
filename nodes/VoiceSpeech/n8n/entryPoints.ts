import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodePropertyRouting,
	type INodeType,
	type NodeExecutionHint,
} from 'n8n-workflow';

import { plainConsoleName } from '../../../credentials/access';
import { createFailure, type ItemFailure } from '../call/admission';
import type { Item } from '../call/item';
import type { Operation } from '../descriptions/operation';
import { options } from '../descriptions/options';
import { createOperationNotChosenError } from '../errors/inputError';
import type { ItemOutcome } from '../run/callItem';
import { runItems, type RunSettings } from '../run/runItems';
import { RunState } from '../run/runState';
import { createAudioFetcher, credentialType, sendRequest } from './httpClient';
import { findInputFile, createFileSource, type InputItem } from './inputFiles';
import { createFailedItem, createNodeError, createResultItem } from './outputItem';

/*
 * n8n runs the node in two ways, which test/credits and test/hosts check on the n8n versions of test/hosts.
 * - `customOperations` gets all items of a node run at once. n8n calls it for workflows, and for the tools of AI Agent
 *   version 3.
 * - n8n's RoutingNode calls the pagination hook once for each item. It does so for the tools of older agents, where each
 *   use is one item, and if Resource or Operation is an expression or unknown, which the hook refuses.
 */

type Context = IExecuteFunctions | IExecutePaginationFunctions;

/** n8n's context of one item, in the loop or in the hook. */
interface ItemContext {
	context: Context;
	input: InputItem;
	read(name: string, fallback?: unknown): unknown;
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	findFileAtPath(path: string): unknown;
}

/** n8n gives the node another type where it is an agent's tool. */
function isTool(context: Context): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** What all input items of a run have in common. */
function readInputFacts(context: Context) {
	const steps = context.getParentNodes?.(context.getNode().name) ?? [];
	return {
		hasFilesInJson: context.getWorkflowSettings?.().binaryMode === 'combined',
		isTool: isTool(context),
		// n8n lists the nearest step last. The first one is where most files come from, such as a form.
		earlierStep: steps.length > 1 ? steps[0]?.name : undefined,
	};
}

function createLoopContexts(context: IExecuteFunctions): ItemContext[] {
	// Credentials are read one after the other. Many reads at the same time would exhaust n8n's pool of database
	// connections.
	let lastRead: Promise<unknown> = Promise.resolve();
	const facts = readInputFacts(context);
	return context.getInputData().map(({ json, binary }, index) => ({
		context,
		// n8n passes on what a Code node returns, even an item without json.
		input: { json: json ?? {}, binary, index, ...facts },
		read: (name, fallback) => context.getNodeParameter(name, index, fallback) as unknown,
		readCredential: async () => {
			const reading = lastRead.then(
				async () => await context.getCredentials(credentialType, index),
			);
			lastRead = reading.catch(() => {});
			return await reading;
		},
		findFileAtPath: (path) => context.helpers.assertBinaryData(index, path),
	}));
}

function createHookContext(context: IExecutePaginationFunctions): ItemContext {
	const { json, binary } = context.getInputData() as INodeExecutionData;
	return {
		context,
		input: { json, binary, index: context.getItemIndex(), ...readInputFacts(context) },
		read: (name, fallback) => context.getNodeParameter(name, fallback as object) as unknown,
		readCredential: async () => await context.getCredentials(credentialType),
		findFileAtPath: (path) => context.helpers.assertBinaryData(path),
	};
}

function createItem(itemContext: ItemContext, operation: Operation): Item {
	const { context, input, read, readCredential, findFileAtPath } = itemContext;
	return {
		index: input.index,
		operation,
		read,
		credentialName: context.getNode().credentials?.[credentialType]?.name ?? '',
		readCredential,
		findFile() {
			const file = findInputFile(input, read('binaryPropertyName', 'data'), findFileAtPath);
			return createFileSource(file, context.helpers);
		},
		fetchAudio: (connection) => createAudioFetcher(context, connection),
		send: async (request, body, signal) =>
			await sendRequest(context, operation.endpoint.path, request, body, signal),
		store: context.helpers.prepareBinaryData as Item['store'],
	};
}

/** The value of a parameter for the first item; undefined if its expression throws, which then fails that item. */
function readForFirstItem(contexts: ItemContext[], name: string): unknown {
	try {
		return contexts[0]?.read(name, undefined);
	} catch {
		return undefined;
	}
}

function readSettings(context: Context, contexts: ItemContext[]): RunSettings {
	// Settings are read by their paths, because the expression of another setting may throw.
	const batch = readForFirstItem(contexts, 'requestOptions.batching.batch') as
		| { batchSize?: number; batchInterval?: number }
		| undefined;
	const { batchSize = 0, batchInterval = 0 } = batch ?? {};
	return {
		concurrency: options.concurrency.read(readForFirstItem(contexts, 'options.concurrency')),
		batching: { size: batchSize > 0 ? batchSize : 1, intervalMs: Math.max(0, batchInterval) },
		stopsOnFailure: !context.continueOnFail(),
		cancelSignal: context.getExecutionCancelSignal?.(),
	};
}

/** Hints that n8n shows below the output, about what the items themselves do not show. */
function createHints(outcomes: ItemOutcome[], isCanceled: boolean): NodeExecutionHint[] {
	if (isCanceled) return [];
	const reused = outcomes.filter((one) => one.kind === 'succeeded' && one.isFromEarlierTry);
	const blocked = outcomes.filter((one) => one.kind === 'blocked');
	const hints: NodeExecutionHint[] = [];
	if (reused.length > 0) {
		const message = `Items that had succeeded in an earlier try and were not sent again: ${reused.length}`;
		hints.push({ message, type: 'info', location: 'outputPane' });
	}
	if (blocked.length > 0) {
		const message = `Items that were not sent, or not sent again, because the key or the wallet of another item was refused: ${blocked.length}`;
		hints.push({ message, type: 'warning', location: 'outputPane' });
	}
	return hints;
}

/**
 * Runs an operation for all items.
 *
 * @returns one output item for each input item
 * @throws {NodeApiError | NodeOperationError} if the node stops on failure
 */
async function runOperation(
	context: Context,
	contexts: ItemContext[],
	operation: Operation,
	state: RunState,
): Promise<{ items: INodeExecutionData[]; hints: NodeExecutionHint[] }> {
	const items = contexts.map((itemContext) => createItem(itemContext, operation));
	const settings = readSettings(context, contexts);
	const run = await runItems(items, state, settings);
	const node = context.getNode();
	const createError = async (failure: ItemFailure, discardedItems: number) => {
		const { index } = failure;
		const payment = state.getPayment(index);
		const consoleName = state.getConsoleName(index);
		return await createNodeError(node, failure, { payment, consoleName, discardedItems });
	};
	if (run.kind === 'failed') {
		const { failure } = run;
		throw await createError(failure, state.countOtherPaidItems(failure.index));
	}
	const outputItems: INodeExecutionData[] = [];
	for (const [position, outcome] of run.outcomes.entries()) {
		const { input } = contexts[position] as ItemContext;
		if (outcome.kind === 'succeeded') {
			outputItems.push(createResultItem(input, outcome.call));
			continue;
		}
		const error = await createError(outcome.failure, 0);
		outputItems.push(createFailedItem(node, input, error));
	}
	return {
		items: outputItems,
		hints: createHints(run.outcomes, settings.cancelSignal?.aborted === true),
	};
}

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
		ofResource[operation.operation] = async function (this: IExecuteFunctions) {
			const contexts = createLoopContexts(this);
			const { items, hints } = await runOperation(this, contexts, operation, getRunState(this));
			if (hints.length > 0) this.addExecutionHints(...hints);
			return [items];
		};
	}
	return functions;
}

/**
 * Contains n8n's objects of the agents whose tools have sent a request with Retry On Fail on, and how texts refer to the
 * service's console. Later uses may be tries of the same call.
 */
const agentsThatSent = new WeakMap<object, string>();

/** Runs an operation for one use of a tool, which is a node run of its own. */
async function runTool(
	context: IExecutePaginationFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	// The tries of a use share only the agent's object, with all other uses of the agent's tools.
	const agent = context.getExecuteData();
	const earlierPayment = agentsThatSent.has(agent) ? 'possible' : 'notSent';
	const state = new RunState(earlierPayment, agentsThatSent.get(agent));
	try {
		const { items } = await runOperation(context, [createHookContext(context)], operation, state);
		return items;
	} finally {
		const mayBeTriedAgain = context.getNode().retryOnFail === true;
		if (mayBeTriedAgain && state.getPayment(0) !== 'notSent') {
			agentsThatSent.set(agent, state.getConsoleName(0));
		}
	}
}

/**
 * Fails an item whose operation n8n did not look up.
 *
 * @throws {NodeOperationError} if the node stops on failure
 */
async function refuseOperation(context: IExecutePaginationFunctions): Promise<INodeExecutionData> {
	const { input } = createHookContext(context);
	const failure = createFailure(input.index, createOperationNotChosenError());
	const history = {
		payment: 'notSent',
		consoleName: plainConsoleName,
		discardedItems: 0,
	} as const;
	const error = await createNodeError(context.getNode(), failure, history);
	if (!context.continueOnFail()) throw error;
	return createFailedItem(context.getNode(), input, error);
}

/**
 * The routing of 'Resource'. n8n applies it to every request of its RoutingNode, because this parameter is always shown,
 * so that no request leaves that this package has not prepared.
 */
export function createToolRouting(operations: Operation[]): INodePropertyRouting {
	return {
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions) {
				const resource = String(this.getNodeParameter('resource', ''));
				const name = String(this.getNodeParameter('operation', ''));
				const operation = operations.find(
					(one) => one.resource === resource && one.operation === name,
				);
				if (isTool(this) && operation !== undefined) return await runTool(this, operation);
				return [await refuseOperation(this)];
			},
		},
	};
}
