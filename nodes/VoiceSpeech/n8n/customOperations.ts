import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import type { Operation } from '../descriptions/operation';
import { RunState } from '../run/runState';
import { createLoopItems } from './nodeItem';
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
