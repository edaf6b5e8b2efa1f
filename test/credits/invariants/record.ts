import type { INodeExecutionData } from 'n8n-workflow';

import type { RunOutput } from '../../support/engine';
import type { CredentialKind, Reply, Scenario } from './scenario';

/** A request that arrived at the service. */
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
	/** The entire body has arrived. */
	isComplete: boolean;
	/** What the service sent, if the node was still there to receive it. */
	reply: Reply | undefined;
}

/** A version of an item's credential, valid from an action on. */
export interface Credential {
	kind: CredentialKind;
	key: string;
	step: number;
}

/** An action, after which calls may not start. */
export interface Action {
	step: number;
	/** No timer was running, so everything that arrived during this action was caused by it. */
	isAlone: boolean;
}

/** An item failed. `endsRun`: every later call would fail too. */
export type Failure = Action & { item: number; try: number; endsRun: boolean };

/** The service asked one call to wait, until a time in ms. */
export type BackOff = Action & { try: number; until: number };

/** One execution of the node. */
export interface Try {
	/** Number of the last action before it. */
	step: number;
	/** Number of the action during or after which it ended. */
	endStep: number | undefined;
	items: INodeExecutionData[];
	error: (Error & { description?: unknown; context?: { itemIndex?: number } }) | undefined;
}

/** Everything that was observed of a run. */
export class RunRecord {
	/** Actions so far. After each, the process was idle before the next. */
	step = 0;

	readonly tries: Try[] = [];

	readonly calls: Call[] = [];

	readonly failures: Failure[] = [];

	readonly backOffs: BackOff[] = [];

	/** Items whose audio ended early, at a time when it may not have been read. */
	readonly broken = new Set<number>();

	cancelled: Action | undefined;

	output: RunOutput | undefined;

	constructor(
		readonly scenario: Scenario,
		/** By item. */
		readonly credentials: Credential[][],
	) {}

	/** Number of the current or last try. */
	get try(): number {
		return this.tries.length - 1;
	}

	get stopsOnFailure(): boolean {
		return this.scenario.onError === 'stopWorkflow';
	}

	/** The output items of both outputs. */
	get outputItems(): INodeExecutionData[] {
		return [...(this.output?.items ?? []), ...(this.output?.errorItems ?? [])];
	}

	/** The item's calls in a try, or in all. */
	callsOf(item: number, inTry?: number): Call[] {
		return this.calls.filter(
			(call) => call.item === item && (inTry === undefined || call.try === inTry),
		);
	}

	isEdited(item: number): boolean {
		return (this.credentials[item]?.length ?? 0) > 1;
	}

	/** Whether the node may use a credential for an item. */
	allows(item: number, { kind }: Credential): boolean {
		const { allowedEnvironment, items } = this.scenario;
		const allowed = allowedEnvironment === 'expression' ? items[item]?.allowed : allowedEnvironment;
		return kind !== 'mismatch' && (allowed === 'any' || allowed === kind);
	}

	/** Whether the item, after an action, is known to fail before anything is sent for it. */
	isBad(item: number, step: number): boolean {
		const { input } = this.scenario.items[item] ?? {};
		const credential = this.credentials[item]?.filter((version) => version.step <= step).at(-1);
		if (input === 'empty' || input === 'throws' || credential === undefined) return true;
		return !this.allows(item, credential);
	}
}
