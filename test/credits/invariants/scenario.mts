import fc from 'fast-check';

/** How the service responds to a call. */
export type SimulatedResponse =
	/** @param retryAfter for how many seconds it asks to wait */
	| { kind: 'status'; status: number; retryAfter?: number }
	/** Ends the connection without a response. */
	| { kind: 'reset' }
	/** Ends the connection in the middle of a successful response. */
	| { kind: 'cut' }
	/** A complete success response that the node cannot use, because n8n cannot decompress it. */
	| { kind: 'unusable' }
	/** A success with a field `error`, for which n8n may run the node again. */
	| { kind: 'successWithError' };

/** A response with this status, which may ask to wait. */
export function createStatus(status: number, retryAfter?: number): SimulatedResponse {
	return retryAfter === undefined
		? { kind: 'status', status }
		: { kind: 'status', status, retryAfter };
}

export const success = createStatus(200);

const responses: SimulatedResponse[] = [
	success,
	...[400, 401, 402, 403, 408, 429, 500, 503].map((status) => createStatus(status)),
	...[429, 503].map((status) => createStatus(status, 0)),
	...[429, 500, 503].map((status) => createStatus(status, 0.03)),
	createStatus(429, 600),
	{ kind: 'reset' },
	{ kind: 'cut' },
	{ kind: 'unusable' },
	{ kind: 'successWithError' },
];

/** The response in a few words, for messages. */
export function describeResponse(response: SimulatedResponse): string {
	if (response.kind !== 'status') return response.kind;
	const { status, retryAfter } = response;
	return retryAfter === undefined ? String(status) : `${status} after ${retryAfter}`;
}

/** @param response undefined if the node was not there any more to receive one */
export function hasStatus(response: SimulatedResponse | undefined, status: number): boolean {
	return response?.kind === 'status' && response.status === status;
}

/** Whether the response is a success that the node can use. */
export function isSuccess(response: SimulatedResponse | undefined): boolean {
	return hasStatus(response, 200) || response?.kind === 'successWithError';
}

/** Whether the complete response to a call arrived, so that the call was paid for (rule 5). */
export function isPaid(response: SimulatedResponse | undefined): boolean {
	return isSuccess(response) || response?.kind === 'unusable';
}

/**
 * The option Max Retry Wait (Seconds) of all scenarios. It is less than any wait that the node chooses by itself. The
 * node waits for the option's value then, so this wait is known too.
 */
export const maxRetryWaitSeconds = 0.05;

/**
 * How long the node waits before it sends the call again by itself, because HTTP says that it was refused before any work
 * (docs/credits.md, rule 4).
 *
 * @param retries how often the node has already sent this call again
 * @returns seconds; undefined if it does not send the call again
 */
export function findRetryDelay(
	response: SimulatedResponse,
	retries: number,
	rateLimitRetries: number,
): number | undefined {
	if (response.kind !== 'status' || retries >= rateLimitRetries) return undefined;
	const { status, retryAfter } = response;
	if (status === 429 && retryAfter === undefined) return maxRetryWaitSeconds;
	if (status !== 429 && status !== 503) return undefined;
	return retryAfter !== undefined && retryAfter <= maxRetryWaitSeconds ? retryAfter : undefined;
}

/** Whether every later call with the same key would fail in the same way (rule 3). */
export function refusesKey(response: SimulatedResponse): boolean {
	return hasStatus(response, 401) || hasStatus(response, 402);
}

/** Whether the service did no work. With any other failure, it may have debited the call (rule 7). */
export function isRefusal(response: SimulatedResponse | undefined): boolean {
	if (response?.kind !== 'status') return false;
	const { status, retryAfter } = response;
	const isClientError = status >= 400 && status < 500 && status !== 408;
	return isClientError || (status === 503 && retryAfter !== undefined);
}

/**
 * What the server of the audio does. With `opens slowly`, it sends one half, and the other half later. With `breaks`, it
 * sends one half, and ends the connection later.
 */
const openings = ['opens', 'opens slowly', 'breaks', 'missing'] as const;

export type Opening = (typeof openings)[number];

/** `mismatch` is a live key in a credential whose 'Environment' is 'Sandbox'. */
export type CredentialKind = 'sandbox' | 'live' | 'mismatch';

type AllowedEnvironment = 'any' | 'sandbox' | 'live';

interface ScenarioItem {
	/** `empty` is a text without characters, and `throws` an expression that n8n cannot resolve. */
	input: 'text' | 'audio' | 'empty' | 'throws';
	credential: CredentialKind;
	/** Which of the two keys of this kind the item has. */
	key: 0 | 1;
	/** Used if the scenario's `allowedEnvironment` is `expression`. */
	allowed: AllowedEnvironment;
	/** What happens to the audio each time it is opened. After the last of these, it opens. */
	openings: Opening[];
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
	allowedEnvironment: AllowedEnvironment | 'expression';
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

const response = chooseWeighted<SimulatedResponse>(
	[50, success],
	[5, createStatus(402)],
	[10, { kind: 'unusable' }, { kind: 'successWithError' }],
	[20, createStatus(429, 0), createStatus(429, 0.03)],
	[40, ...responses],
);

const item: fc.Arbitrary<ScenarioItem> = fc.record({
	input: chooseWeighted<ScenarioItem['input']>([24, 'text', 'audio'], [1, 'empty'], [2, 'throws']),
	credential: chooseWeighted<CredentialKind>([30, 'sandbox'], [10, 'live'], [1, 'mismatch']),
	key: fc.constantFrom(0, 1),
	allowed: chooseWeighted<AllowedEnvironment>([1, 'any'], [2, 'sandbox'], [1, 'live']),
	openings: fc.array(chooseWeighted<Opening>([2, 'opens'], [1, ...openings]), { maxLength: 2 }),
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
	allowedEnvironment: chooseWeighted<Scenario['allowedEnvironment']>(
		[4, 'any'],
		[3, 'sandbox'],
		[2, 'live', 'expression'],
	),
	isCanceled: sometimes,
});
