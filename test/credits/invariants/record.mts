import type { INodeExecutionData } from 'n8n-workflow';

import type { RunOutput } from '../../support/engine.mts';
import type { SimulatedResponse, Scenario } from './scenario.mts';

export interface Call {
	/** -1 until the bytes that name the item have arrived. */
	item: number;
	/** `X-API-Key`. */
	key: string;
	/** The try of the node run in which it arrived; a run without Retry On Fail has only try 0. */
	try: number;
	/** Number of the action during or after which it arrived. */
	step: number;
	/** In ms. */
	time: number;
	/** It arrived after its try had ended, and not because of the action that ended it. */
	isLate: boolean;
	/** Calls in progress, including this one. */
	inProgress: number;
	/** What the service sent, if the node was still there to receive it. */
	response: SimulatedResponse | undefined;
}

/** An action of a try, after which calls may not start. */
export interface Action {
	try: number;
	step: number;
	/** No timer was running, so everything that arrived during this action was caused by it. */
	isAlone: boolean;
}

/** One execution of the node. */
export interface Try {
	/** The action that ended it. */
	end: number | undefined;
	items: INodeExecutionData[];
	error: (Error & { description?: unknown; context?: { itemIndex?: number } }) | undefined;
}

/** Everything that was observed of a run. */
export class RunRecord {
	/** Actions so far. After each, the process was idle before the next. */
	step = 0;

	readonly tries: Try[] = [];

	readonly calls: Call[] = [];

	/** Items that failed. `refusedKey`: every later call with this key would fail too. */
	readonly failures: Array<Action & { item: number; refusedKey: string | undefined }> = [];

	/** The service asked one call to wait, until a time in ms. */
	readonly backOffs: Array<Action & { until: number }> = [];

	canceled: Action | undefined;

	output: RunOutput | undefined;

	constructor(
		readonly scenario: Scenario,
		/** The key of each item. */
		readonly keys: string[],
	) {}

	/** Number of the current or last try. */
	get try(): number {
		return this.tries.length - 1;
	}

	get stopsOnFailure(): boolean {
		return this.scenario.onError === 'stopWorkflow';
	}

	get outputItems(): INodeExecutionData[] {
		return [...(this.output?.items ?? []), ...(this.output?.errorItems ?? [])];
	}

	/** The item's calls in a try, or in all. */
	listCalls(item: number, inTry?: number): Call[] {
		return this.calls.filter((call) => call.item === item && (inTry ?? call.try) === call.try);
	}

	/** Whether the item is known to fail before anything is sent for it. */
	isKnownToFail(item: number): boolean {
		return this.scenario.items[item]?.input === 'throws';
	}

	/** Whether anything happened that may keep this item from its result in the last try. */
	hasReason(item: number): boolean {
		return (
			this.isKnownToFail(item) ||
			this.listCalls(item).some(({ response }) => response?.kind === 'unusable') ||
			this.failures.some(
				(one) => one.try === this.try && (one.item === item || one.refusedKey === this.keys[item]),
			)
		);
	}
}
