import fc from 'fast-check';

import { chooseRetryDelay } from '../../../nodes/VoiceSpeech/call/backoff.ts';
import type { CallOptions } from '../../../nodes/VoiceSpeech/descriptions/options.ts';
import { getDebit, isKeyRefusal } from '../../../nodes/VoiceSpeech/service/statusMeaning.ts';

// test/service/statusMeaning.test.mts and test/call/backoff.test.mts test what each status means. Here one of each meaning
// occurs.

/** How the service responds to a call. */
export type SimulatedResponse =
	/** @param retryAfter for how many seconds it asks to wait */
	| { kind: 'status'; status: number; retryAfter?: number }
	/** Ends the connection without a response. */
	| { kind: 'reset' }
	/** Ends the connection in the middle of a successful response. */
	| { kind: 'cut' }
	/** A complete success response that the node cannot use, because n8n cannot decompress it. */
	| { kind: 'unusable' };

/** A response with this status, which may ask to wait. */
const createStatus = (status: number, retryAfter?: number): SimulatedResponse => ({
	kind: 'status',
	status,
	...(retryAfter !== undefined && { retryAfter }),
});

export const success = createStatus(200);

const failures: SimulatedResponse[] = [
	...[400, 402, 429, 500].map((status) => createStatus(status)),
	...[0, 0.03, 600].map((retryAfter) => createStatus(429, retryAfter)),
	{ kind: 'reset' },
	{ kind: 'cut' },
	{ kind: 'unusable' },
];

/** The response in a few words, for messages. */
export function describeResponse(response: SimulatedResponse): string {
	if (response.kind !== 'status') return response.kind;
	const { status, retryAfter } = response;
	return retryAfter === undefined ? String(status) : `${status} after ${retryAfter}`;
}

/** @param response undefined if the node was not there any more to receive one */
export const isUsable = (response: SimulatedResponse | undefined): boolean =>
	response?.kind === 'status' && response.status === 200;

/** Whether the complete response to a call arrived, so that the call was paid for (rule 5). */
export const isPaid = (response: SimulatedResponse | undefined): boolean =>
	isUsable(response) || response?.kind === 'unusable';

/**
 * The option Max Retry Wait (Seconds) of all scenarios. It is less than any wait that the node chooses by itself. The
 * node waits for the option's value then, so this wait is known too.
 */
export const maxRetryWaitSeconds = 0.05;

/**
 * How long the node waits before it sends the call again by itself (rule 4).
 *
 * @param retries how often the node has already sent this call again
 * @returns seconds; undefined if it does not send the call again
 */
export function findRetryDelay(
	response: SimulatedResponse,
	retries: number,
	{ rateLimitRetries }: Scenario,
): number | undefined {
	if (response.kind !== 'status') return undefined;
	const { status, retryAfter } = response;
	const options = { rateLimitRetries, maxRetryWaitSeconds } as CallOptions;
	return chooseRetryDelay(status, retryAfter, retries, options);
}

/** Whether every later call with the same key would fail in the same way (rule 3). */
export const refusesKey = (response: SimulatedResponse): boolean =>
	response.kind === 'status' && isKeyRefusal(response.status);

/** Whether the service did no work. With any other failure, it may have debited the call (rule 7). */
export const isRefusal = (response: SimulatedResponse | undefined): boolean =>
	response?.kind === 'status' && getDebit(response.status, response.retryAfter) === 'refused';

interface ScenarioItem {
	/** `throws` is a text whose expression n8n cannot resolve. */
	input: 'text' | 'audio' | 'throws';
	/** Which of two keys the item has. */
	key: 0 | 1;
	/** Whether the audio is missing, each time it is opened. After the last of these, it is there. */
	missing: boolean[];
	/** Responses to this item's calls. After the last of these, calls succeed. */
	responses: SimulatedResponse[];
	/** The bodies of its responses arrive later than their headers. */
	hasSlowBodies: boolean;
}

/** One node run, except for the order of events, which the scheduler chooses. */
export interface Scenario {
	items: ScenarioItem[];
	concurrency: number;
	rateLimitRetries: number;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Retry On Fail is off if this is 1. */
	maxTries: number;
	/** A parameter has another value each time it is read, as with `$now`. */
	changesRequests: boolean;
	/** n8n's Batching is off if this is 0. */
	batchSize: number;
	isCanceled: boolean;
}

/** Time between two batches, in ms. */
export const batchInterval = 5;

/** Chooses each value as often as its weight says. */
function chooseWeighted<T>(...weights: Array<[weight: number, ...values: T[]]>): fc.Arbitrary<T> {
	return fc.oneof(
		...weights.map(([weight, ...values]) => ({ weight, arbitrary: fc.constantFrom(...values) })),
	);
}

const sometimes = chooseWeighted([4, false], [1, true]);

const response = chooseWeighted<SimulatedResponse>([2, success], [3, ...failures]);

const item: fc.Arbitrary<ScenarioItem> = fc.record({
	input: chooseWeighted<ScenarioItem['input']>([12, 'text', 'audio'], [1, 'throws']),
	key: fc.constantFrom(0, 1),
	missing: fc.array(sometimes, { maxLength: 2 }),
	responses: fc.array(response, { maxLength: 3 }),
	hasSlowBodies: sometimes,
});

export const scenario = fc.record<Scenario>({
	items: fc.array(item, { minLength: 1, maxLength: 8 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	rateLimitRetries: fc.integer({ min: 0, max: 2 }),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	maxTries: chooseWeighted([3, 1], [2, 2, 3]),
	changesRequests: sometimes,
	batchSize: chooseWeighted([4, 0], [3, 1, 2, 3]),
	isCanceled: sometimes,
});
