import type {
	ICredentialDataDecryptedObject,
	IExecuteSingleFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { Attempt, type RunFacts } from './attempt';
import { concurrencyOf } from './options';

type Items = INodeExecutionData[] | undefined;

/** A call that was begun, kept for the next try of Retry On Fail. */
interface Call {
	fingerprint: unknown[];
	/** What it brought, or will bring; nothing where it failed. */
	items: Promise<Items>;
}

/** Whether a parameter's value, as it stands in the workflow, holds an expression. */
function hasExpression(value: unknown): boolean {
	return String(JSON.stringify(value)).includes('"=');
}

/** A node run with all its tries. */
export class Run {
	private readonly calls = new Map<number, Call>();

	private readonly constants = new Map<string, unknown>();

	private reading: Promise<ICredentialDataDecryptedObject> | undefined;

	/** @param retriesOnFail n8n may run the node again when it has failed */
	constructor(
		public attempt: Attempt,
		readonly retriesOnFail: boolean,
	) {}

	/**
	 * A parameter as it holds for an item. One without an expression is the same for all of them: n8n takes long to
	 * give it, so it is asked once.
	 */
	parameter(context: IExecuteSingleFunctions, name: string, fallback?: unknown): unknown {
		if (this.constants.has(name)) return this.constants.get(name);
		const value: unknown = context.getNodeParameter(name, fallback);
		const raw: unknown = context.getNodeParameter(name, fallback, { rawExpressions: true });
		if (!hasExpression(raw)) this.constants.set(name, value);
		return value;
	}

	/**
	 * The credential. n8n asks its database each time, and thousands of items that ask at once wait for a connection
	 * until they are turned away; so a run asks once, as n8n's own routing does for the base URL.
	 */
	async credential(context: IExecuteSingleFunctions): Promise<ICredentialDataDecryptedObject> {
		this.reading ??= context.getCredentials('voiceSpeechApi');
		try {
			return await this.reading;
		} catch (error) {
			// What could not be read is asked for again by the next try.
			this.reading = undefined;
			return await Promise.reject(error);
		}
	}

	/** @returns what the very same request of an earlier try has brought */
	async recall(index: number, fingerprint: unknown[]): Promise<Items> {
		const call = this.calls.get(index);
		const same =
			call?.fingerprint.length === fingerprint.length &&
			call.fingerprint.every((part, place) => part === fingerprint[place]);
		return same ? await call.items : undefined;
	}

	/** Remembers a call that was begun, for {@link recall} in a later try. */
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
	let run = runs.get(key);
	if (run === undefined) {
		run = new Run(new Attempt(factsOf(context)), context.getNode().retryOnFail === true);
		// An agent's calls of a tool share the agent's object, come at once, and each has but one item, the first.
		if (!isForAgent(context)) runs.set(key, run);
	} else if (run.attempt.has(index)) {
		// The same item again: n8n tries once more. No stop of the earlier try binds this one, and what still waits
		// there is not sent any more.
		run.attempt.end();
		run.attempt = new Attempt(factsOf(context));
	}
	run.attempt.arrive(index);
	return { run, attempt: run.attempt };
}
