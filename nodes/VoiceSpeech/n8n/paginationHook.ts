import type {
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { createFailure } from '../call/itemFailure';
import type { Operation } from '../descriptions/operation';
import { createOperationNotChosenError } from '../errors/inputError';
import { notSentRecord, RunState, type DebitRecord } from '../run/runState';
import { createNodeError } from './nodeError';
import { createHookItem, isTool, readHookInput } from './nodeItem';
import { createFailedItem } from './outputItem';
import { runOperation } from './runOperation';

/*
 * n8n's RoutingNode calls the pagination hook once for each item. It does so for the tools of agents before version 3,
 * where each use is usually one item, and if Resource or Operation is an expression or unknown, which the hook rejects.
 * test/engine/routing.test.ts checks it on every n8n of test/support/n8nVersions.ts.
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
	const item = createHookItem(context, operation);
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
 * Fails an item whose Resource or Operation is an expression or unknown.
 *
 * @throws {NodeOperationError} if the node stops on failure
 */
async function rejectOperation(context: IExecutePaginationFunctions): Promise<INodeExecutionData> {
	const input = readHookInput(context);
	const failure = createFailure(input.index, createOperationNotChosenError());
	const details = { debitRecord: notSentRecord, isOnlyItem: true };
	const error = await createNodeError(context.getNode(), failure, details);
	if (!context.continueOnFail()) throw error;
	return createFailedItem(context.getNode(), input, error, notSentRecord.debit);
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
				if (isTool(this) && operation !== undefined) return await runTool(this, operation);
				return [await rejectOperation(this)];
			},
		},
	};
}
