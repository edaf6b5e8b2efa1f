import type { INodeExecutionData } from 'n8n-workflow';

import type { RunOutput } from '../../support/engine';
import type { Reply } from './reply';
import type { CredentialKind, Scene } from './scene';

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
	/** It arrived after its try had ended, and because of a later action, or of none. */
	isLate: boolean;
	/** Calls in progress, this one included. */
	inProgress: number;
	/** The entire body has arrived. */
	isComplete: boolean;
	/** What the service sent, if the node was still there to receive it. */
	reply: Reply | undefined;
}

/** A version of an item's credential. */
export interface Credential {
	kind: CredentialKind;
	key: string;
	/** From this action on. */
	step: number;
}

/** An action that made an item fail. */
export interface Failure {
	item: number;
	try: number;
	step: number;
	/** Every later call would fail too. */
	endsRun: boolean;
	/** No timer was running, so all that arrived during this action was caused by it. */
	isAlone: boolean;
}

/** The service asked one call to wait. */
export interface BackOff {
	try: number;
	step: number;
	/** In ms. */
	until: number;
	isAlone: boolean;
}

/** One execution of the node. */
export interface Try {
	/** Number of the last action before it. */
	step: number;
	/** Number of the action during or after which it ended. */
	endStep: number | undefined;
	items: INodeExecutionData[];
	error: (Error & { description?: unknown; context?: { itemIndex?: number } }) | undefined;
}

/** All that was observed of a run. */
export class History {
	/** Actions so far. After each, the process was idle before the next. */
	step = 0;

	readonly tries: Try[] = [];

	readonly calls: Call[] = [];

	readonly failures: Failure[] = [];

	readonly backOffs: BackOff[] = [];

	/** Items whose audio ended early, at a time when nobody may have been reading it. */
	readonly broken = new Set<number>();

	cancelled: { step: number; isAlone: boolean } | undefined;

	output: RunOutput | undefined;

	constructor(
		readonly scene: Scene,
		/** By item. */
		readonly credentials: Credential[][],
	) {}

	/** Number of the current or last try. */
	get try(): number {
		return this.tries.length - 1;
	}

	get stopsOnFailure(): boolean {
		return this.scene.onError === 'stopWorkflow';
	}

	/** The item's calls, in the order of their arrival. */
	callsOf(item: number, number?: number): Call[] {
		return this.calls.filter(
			(call) => call.item === item && (number === undefined || call.try === number),
		);
	}

	/** The version of the item's credential after an action. */
	credentialAt(item: number, step: number): Credential | undefined {
		return this.credentials[item]?.filter((version) => version.step <= step).at(-1);
	}

	isEdited(item: number): boolean {
		return (this.credentials[item]?.length ?? 0) > 1;
	}

	/** Whether the node may use a credential for an item. */
	allows(item: number, { kind }: Credential): boolean {
		const { allowedEnvironment, items } = this.scene;
		const allowed = allowedEnvironment === 'expression' ? items[item]?.allowed : allowedEnvironment;
		return kind !== 'mismatch' && (allowed === 'any' || allowed === kind);
	}

	/** Whether the item is known to fail before anything is sent for it. */
	isBad(item: number, step: number): boolean {
		const input = this.scene.items[item]?.input;
		const credential = this.credentialAt(item, step);
		return (
			input === 'empty' ||
			input === 'throws' ||
			credential === undefined ||
			!this.allows(item, credential)
		);
	}
}
