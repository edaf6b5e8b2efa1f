import fc from 'fast-check';

import { n8n } from '../../support/n8n';
import { replies, type Reply } from './reply';

/** What the server of the audio does with one request. */
const openings = [
	// Sends everything.
	'opens',
	// Sends one half, and the other half later.
	'opens slowly',
	// Sends one half, and ends the connection later.
	'breaks',
	'missing',
	'web page',
	'reset',
] as const;

export type Opening = (typeof openings)[number];

/** `mismatch`: a live key in a credential whose 'Environment' is 'Sandbox'. */
export type CredentialKind = 'sandbox' | 'live' | 'mismatch';

type AllowedEnvironment = 'any' | 'sandbox' | 'live';

export interface ItemScene {
	/** `empty`: a text without characters. `throws`: an expression that n8n can't resolve. */
	input: 'text' | 'audio' | 'empty' | 'throws';
	credential: CredentialKind;
	/** Used if the scene's `allowedEnvironment` says so. */
	allowed: AllowedEnvironment;
	/** What happens to the audio each time it is opened; after the last, it opens. */
	openings: Opening[];
	/** Responses to this item's calls, in their order; after the last, 200. */
	replies: Reply[];
	/** The bodies of its responses arrive later than their headers. */
	hasSlowBodies: boolean;
}

/** One node run, except for the order of what happens in it: that is the scheduler's. */
export interface Scene {
	items: ItemScene[];
	concurrency: number;
	rateLimitRetries: number;
	onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** 1: Retry On Fail is off. */
	maxTries: number;
	/** n8n's Batching; 0: off. */
	batchSize: number;
	/** `expression`: of each item its own. */
	allowedEnvironment: AllowedEnvironment | 'expression';
	isCancelled: boolean;
	/** Whether a back-off may end before an action that could happen in it. */
	waitsForBackOffs: boolean;
	/** Credentials that are edited during the run. */
	edits: Array<{ item: number; credential: CredentialKind }>;
}

/** Time between two batches, in ms. */
export const batchInterval = 5;

/** Takes each value as often as its weight says. */
function weighted<T extends string | number>(weights: Record<T, number>): fc.Arbitrary<T> {
	return fc.oneof(
		...Object.entries<number>(weights).map(([value, weight]) => ({
			weight,
			arbitrary: fc.constant((/^\d+$/.test(value) ? Number(value) : value) as T),
		})),
	);
}

const credential = weighted<CredentialKind>({ sandbox: 30, live: 10, mismatch: 1 });

const edited = weighted<CredentialKind>({ sandbox: 2, live: 4, mismatch: 1 });

const reply: fc.Arbitrary<Reply> = fc.oneof(
	{ weight: 100, arbitrary: fc.constant<Reply>('200') },
	{
		weight: 50,
		arbitrary: fc.constantFrom<Reply>('402', '429 after 0', '429 after 0.05', '429 after 0.05'),
	},
	{ weight: 80, arbitrary: fc.constantFrom(...replies.filter((one) => one !== '429 after 1')) },
	// A second is long for a test.
	{ weight: 1, arbitrary: fc.constant<Reply>('429 after 1') },
);

const opening: fc.Arbitrary<Opening> = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Opening>('opens') },
	{ weight: 3, arbitrary: fc.constantFrom(...openings) },
);

const item: fc.Arbitrary<ItemScene> = fc.record({
	input: weighted<ItemScene['input']>({ text: 12, audio: 12, empty: 1, throws: 2 }),
	credential,
	allowed: weighted<AllowedEnvironment>({ any: 1, sandbox: 2, live: 1 }),
	openings: fc.array(opening, { maxLength: 2 }),
	replies: fc.array(reply, { maxLength: 3 }),
	hasSlowBodies: weighted({ no: 4, yes: 1 }).map((answer) => answer === 'yes'),
});

/** Where n8n rejects the run for an expression that throws, with continue too, no item comes out as the node's. */
function withoutRejections(scene: Scene): Scene {
	if (n8n.catchesExpressionErrors === true || scene.onError === 'stopWorkflow') return scene;
	const items = scene.items.map((item) =>
		item.input === 'throws' ? { ...item, input: 'text' as const } : item,
	);
	return { ...scene, items };
}

const anyScenes: fc.Arbitrary<Scene> = fc.record({
	items: fc.array(item, { minLength: 1, maxLength: 8 }),
	concurrency: fc.integer({ min: 1, max: 5 }),
	rateLimitRetries: fc.integer({ min: 0, max: 2 }),
	onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	maxTries: weighted({ 1: 3, 2: 1, 3: 1 }),
	batchSize: weighted({ 0: 4, 1: 1, 2: 1, 3: 1 }),
	allowedEnvironment: weighted({ any: 4, sandbox: 3, live: 1, expression: 1 }),
	isCancelled: weighted({ no: 4, yes: 1 }).map((answer) => answer === 'yes'),
	waitsForBackOffs: fc.boolean(),
	edits: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<Scene['edits']>([]) },
		{
			weight: 1,
			arbitrary: fc.array(fc.record({ item: fc.nat(7), credential: edited }), {
				minLength: 1,
				maxLength: 2,
			}),
		},
	),
});

export const scenes = anyScenes.map(withoutRejections);
