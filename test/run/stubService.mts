import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { AudioSource } from '../../nodes/VoiceSpeech/audio/reader.ts';
import type { Item } from '../../nodes/VoiceSpeech/call/item.ts';
import { analyzeSentiment } from '../../nodes/VoiceSpeech/resources/language/analyzeSentiment.ts';
import type { ItemOutcome } from '../../nodes/VoiceSpeech/run/itemOutcome.ts';
import {
	runItems,
	type RunOutcome,
	type RunSettings,
} from '../../nodes/VoiceSpeech/run/runItems.ts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import {
	stubKey,
	createStubItem,
	createResponse,
	stubCredential,
	type Send,
} from '../support/stubItem.mts';
import { createDeferred } from '../support/waiting.mts';

/** How the service responds to a request. */
export type Respond = () => ReturnType<Send> | Awaited<ReturnType<Send>>;

export interface ItemSetup {
	/** How the service responds; each response but the last is used once. */
	responses?: Respond[];
	key?: string;
	parameters?: Record<string, unknown>;
	readCredential?: Item['readCredential'];
	/** The item sends a text if there is none. */
	audio?: AudioSource;
	createAudioFetcher?: Item['createAudioFetcher'];
	store?: Item['store'];
}

/** The service without a network, and what it sees of the calls. */
export class StubService {
	/** Index of the item of each request, in their order. */
	readonly requests: number[] = [];
	/** When each request was sent, in ms since the service was made. */
	readonly times: number[] = [];
	/** Requests without a response yet. */
	inProgress = 0;
	maxInProgress = 0;
	private readonly startedAt = performance.now();

	/** An item whose calls go to this service. */
	createItem(index: number, setup: ItemSetup = {}): Item {
		const { key = stubKey, audio, parameters } = setup;
		const responses = [...(setup.responses ?? [() => createResponse(200)])];
		const readCredential = async (): Promise<ICredentialDataDecryptedObject> => ({
			...stubCredential,
			apiKey: key,
		});
		const functions: Partial<Item> = {
			index,
			readCredential: setup.readCredential ?? readCredential,
			send: async () => {
				this.requests.push(index);
				this.times.push(performance.now() - this.startedAt);
				this.inProgress++;
				this.maxInProgress = Math.max(this.maxInProgress, this.inProgress);
				const respond = responses.length > 1 ? responses.shift() : responses[0];
				try {
					return await respond!();
				} finally {
					this.inProgress--;
				}
			},
		};
		if (setup.createAudioFetcher !== undefined) {
			functions.createAudioFetcher = setup.createAudioFetcher;
		}
		if (audio !== undefined) functions.chooseFile = () => audio;
		const inputType = audio === undefined ? 'text' : 'audio';
		const item = createStubItem(analyzeSentiment, { inputType, ...parameters }, functions);
		if (setup.store !== undefined) item.store = setup.store;
		return item;
	}

	createItems(...setups: ItemSetup[]): Item[] {
		return setups.map((setup, index) => this.createItem(index, setup));
	}
}

const defaultSettings: RunSettings = {
	concurrency: 1,
	batching: { size: 1, intervalMs: 0 },
	stopsOnFailure: true,
	cancelSignal: undefined,
};

/** Settings of a node that continues on failure. */
export const continueOnFailure = { stopsOnFailure: false };

/** Both settings of what the node does on failure, for tests whose result is the same with both. */
export const failureSettings = [
	{ onFailure: 'stops', stopsOnFailure: true },
	{ onFailure: 'continues', stopsOnFailure: false },
];

/** Runs items, by default one at a time. */
export async function run(
	items: Item[],
	settings: Partial<RunSettings> = {},
	state = new RunState(),
): Promise<RunOutcome> {
	return await runItems(items, state, { ...defaultSettings, ...settings });
}

/** Responds with a status. */
export function respondWith(statusCode: number, headers: IDataObject = {}): Respond {
	return () => createResponse(statusCode, headers);
}

/** A response that arrives when the test releases it, with the status that the test chooses. */
export function createDelayedResponse() {
	const { promise, resolve } = createDeferred<number>();
	return { release: resolve, respond: async () => createResponse(await promise) };
}

/** What n8n does to read a parameter or credential whose expression throws. */
export async function rejectRead(): Promise<never> {
	return await Promise.reject(new Error('expression'));
}

/** The outcome of each item in a word, or that the run failed. */
export function listKinds(outcome: RunOutcome): string[] {
	if (outcome.kind === 'failed') return ['run failed'];
	return outcome.outcomes.map((one) => {
		if (one.kind === 'succeeded') return one.isFromEarlierTry ? 'kept' : 'succeeded';
		return one.kind;
	});
}

async function readMessage(outcome: ItemOutcome): Promise<string | undefined> {
	if (outcome.kind === 'succeeded') return undefined;
	return (await outcome.failure.errorPromise).message;
}

/** The error message of each item, or of the run. */
export async function readMessages(outcome: RunOutcome): Promise<Array<string | undefined>> {
	if (outcome.kind === 'failed') return [(await outcome.failure.errorPromise).message];
	return await Promise.all(outcome.outcomes.map(readMessage));
}
