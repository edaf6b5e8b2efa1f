import fc from 'fast-check';

import { n8n } from '../../support/n8n';

/** How the service responds to a call: a status, and for how many seconds it asks to wait. */
const replies = [
	...['200', '400', '401', '402', '403', '429 after 0', '429 after 0.05', '429 after 600'],
	...['500', '503', '503 after 0', '503 after 0.05'],
	// Ends the connection without a response, or in the middle of a successful one.
	...['reset', 'cut'],
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

/** Whether every later call would fail in the same way. */
export const failsAllItems = (reply: string) => reply === '401' || reply === '402';

/** Whether the service did no work. With any other failure, it may have debited the call. */
export function isRefusal(reply: string): boolean {
	const status = statusOf(reply);
	return (status >= 400 && status < 500) || (status === 503 && retryAfterOf(reply) !== undefined);
}

/**
 * What the server of the audio does: `opens slowly` sends one half, and the other half later; `breaks` sends one half,
 * and ends the connection later.
 */
const openings = ['opens', 'opens slowly', 'breaks', 'missing', 'web page', 'reset'] as const;

export type Opening = (typeof openings)[number];

/** `mismatch`: a live key in a credential whose 'Environment' is 'Sandbox'. */
export type CredentialKind = 'sandbox' | 'live' | 'mismatch';

type AllowedEnvironment = 'any' | 'sandbox' | 'live';

interface ScenarioItem {
	/** `empty`: a text without characters. `throws`: an expression that n8n cannot resolve. */
	input: 'text' | 'audio' | 'empty' | 'throws';
	credential: CredentialKind;
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
	isCancelled: boolean;
	/** Whether a back-off may end before an action that could happen during it. */
	waitsForBackOffs: boolean;
}

/** Time between two batches, in ms. */
export const batchInterval = 5;

/** Chooses each value as often as its weight says. */
function weighted<T extends string | number>(weights: Record<T, number>): fc.Arbitrary<T> {
	return fc.oneof(
		...Object.entries<number>(weights).map(([value, weight]) => ({
			weight,
			arbitrary: fc.constant((/^\d+$/.test(value) ? Number(value) : value) as T),
		})),
	);
}

const sometimes = weighted({ no: 4, yes: 1 }).map((value) => value === 'yes');

const reply: fc.Arbitrary<string> = fc.oneof(
	{ weight: 100, arbitrary: fc.constant('200') },
	{ weight: 10, arbitrary: fc.constant('402') },
	{ weight: 40, arbitrary: fc.constantFrom('429 after 0', '429 after 0.05', '429 after 0.05') },
	{ weight: 80, arbitrary: fc.constantFrom(...replies) },
	// A second is long for a test.
	{ weight: 1, arbitrary: fc.constant('429 after 1') },
);

const item: fc.Arbitrary<ScenarioItem> = fc.record({
	input: weighted<ScenarioItem['input']>({ text: 12, audio: 12, empty: 1, throws: 2 }),
	credential: weighted<CredentialKind>({ sandbox: 30, live: 10, mismatch: 1 }),
	allowed: weighted<AllowedEnvironment>({ any: 1, sandbox: 2, live: 1 }),
	openings: fc.array(
		fc.oneof(
			{ weight: 6, arbitrary: fc.constant<Opening>('opens') },
			{ weight: 3, arbitrary: fc.constantFrom(...openings) },
		),
		{ maxLength: 2 },
	),
	replies: fc.array(reply, { maxLength: 3 }),
	hasSlowBodies: sometimes,
});

/** If n8n rejects the run for an expression that throws, with continue too, no output item comes from the node. */
function withoutRejections(scenario: Scenario): Scenario {
	if (n8n.catchesExpressionErrors === true || scenario.onError === 'stopWorkflow') return scenario;
	const items = scenario.items.map((one) =>
		one.input === 'throws' ? { ...one, input: 'text' as const } : one,
	);
	return { ...scenario, items };
}

export const scenario = fc
	.record<Scenario>({
		items: fc.array(item, { minLength: 1, maxLength: 8 }),
		concurrency: fc.integer({ min: 1, max: 5 }),
		rateLimitRetries: fc.integer({ min: 0, max: 2 }),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		maxTries: weighted({ 1: 3, 2: 1, 3: 1 }),
		batchSize: weighted({ 0: 4, 1: 1, 2: 1, 3: 1 }),
		allowedEnvironment: weighted({ any: 4, sandbox: 3, live: 1, expression: 1 }),
		isCancelled: sometimes,
		waitsForBackOffs: fc.boolean(),
	})
	.map(withoutRejections);
