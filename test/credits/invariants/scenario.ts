import fc from 'fast-check';

/** How the service responds to a call: a status, and for how many seconds it asks to wait. */
const replies = [
	'200',
	'400',
	'401',
	'402',
	'403',
	'429 after 0',
	'429 after 0.03',
	'429 after 600',
	'500',
	'503',
	'503 after 0',
	'503 after 0.03',
	// Ends the connection without a response, or in the middle of a successful one.
	'reset',
	'cut',
];

/** NaN for a reply without a status. */
export const statusOf = (reply: string) => Number.parseInt(reply);

/** In seconds; undefined if the service specifies no time. */
export const retryAfterOf = (reply: string) => reply.split(' after ')[1];

/** Default of 'Max Retry Wait (Seconds)'. */
const longestWait = 300;

/**
 * Whether the node sends the call again by itself: HTTP says that it was refused before any work.
 *
 * @param repetitions how often it sent this call again already
 */
export function isRepeated(reply: string, repetitions: number, rateLimitRetries: number): boolean {
	const wait = retryAfterOf(reply);
	return wait !== undefined && Number(wait) <= longestWait && repetitions < rateLimitRetries;
}

/** Whether every later call with the same key would fail in the same way. */
export const refusesKey = (reply: string) => reply === '401' || reply === '402';

/** Whether the service did no work. With any other failure, it may have debited the call. */
export function isRefusal(reply: string): boolean {
	const status = statusOf(reply);
	return (status >= 400 && status < 500) || (status === 503 && retryAfterOf(reply) !== undefined);
}

/**
 * What the server of the audio does: `opens slowly` sends one half, and the other half later; `breaks` sends one half,
 * and ends the connection later.
 */
const openings = ['opens', 'opens slowly', 'breaks', 'missing'] as const;

export type Opening = (typeof openings)[number];

/** `mismatch`: a live key in a credential whose 'Environment' is 'Sandbox'. */
export type CredentialKind = 'sandbox' | 'live' | 'mismatch';

type AllowedEnvironment = 'any' | 'sandbox' | 'live';

interface ScenarioItem {
	/** `empty`: a text without characters. `throws`: an expression that n8n cannot resolve. */
	input: 'text' | 'audio' | 'empty' | 'throws';
	credential: CredentialKind;
	/** Which of the two keys of this kind the item has. */
	key: 0 | 1;
	/** Used if the scenario's `allowedEnvironment` is `expression`. */
	allowed: AllowedEnvironment;
	/** What happens to the audio each time it is opened; after the last, it opens. */
	openings: Opening[];
	/** Responses to this item's calls; after the last, 200. */
	replies: string[];
	/** The bodies of its responses arrive later than their headers. */
	hasSlowBodies: boolean;
}

/** One node run, except for the order of events: the scheduler chooses that. */
export interface Scenario {
	items: ScenarioItem[];
	concurrency: number;
	rateLimitRetries: number;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** 1: Retry On Fail is off. */
	maxTries: number;
	/** n8n's Batching; 0: off. */
	batchSize: number;
	allowedEnvironment: AllowedEnvironment | 'expression';
	isCanceled: boolean;
}

/** Time between two batches, in ms. */
export const batchInterval = 5;

/** Chooses each value as often as its weight says. */
function weighted<T>(...weights: Array<[weight: number, ...values: T[]]>): fc.Arbitrary<T> {
	return fc.oneof(
		...weights.map(([weight, ...values]) => ({ weight, arbitrary: fc.constantFrom(...values) })),
	);
}

const sometimes = weighted([4, false], [1, true]);

const reply = weighted(
	[50, '200'],
	[5, '402'],
	[20, '429 after 0', '429 after 0.03'],
	[40, ...replies],
);

const item: fc.Arbitrary<ScenarioItem> = fc.record({
	input: weighted<ScenarioItem['input']>([24, 'text', 'audio'], [1, 'empty'], [2, 'throws']),
	credential: weighted<CredentialKind>([30, 'sandbox'], [10, 'live'], [1, 'mismatch']),
	key: fc.constantFrom(0, 1),
	allowed: weighted<AllowedEnvironment>([1, 'any'], [2, 'sandbox'], [1, 'live']),
	openings: fc.array(weighted<Opening>([2, 'opens'], [1, ...openings]), { maxLength: 2 }),
	replies: fc.array(reply, { maxLength: 3 }),
	hasSlowBodies: sometimes,
});

export const scenario = fc.record<Scenario>({
	items: fc.array(item, { minLength: 1, maxLength: 8 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	rateLimitRetries: fc.integer({ min: 0, max: 2 }),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	maxTries: weighted([3, 1], [2, 2, 3]),
	batchSize: weighted([4, 0], [3, 1, 2, 3]),
	allowedEnvironment: weighted<Scenario['allowedEnvironment']>(
		[4, 'any'],
		[3, 'sandbox'],
		[2, 'live', 'expression'],
	),
	isCanceled: sometimes,
});
