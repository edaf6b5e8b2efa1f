import { Readable } from 'node:stream';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import type { Item } from '../../nodes/VoiceSpeech/call/item.ts';
import type { RunOutcome, RunSettings } from '../../nodes/VoiceSpeech/run/runItems.ts';
import { RunState } from '../../nodes/VoiceSpeech/run/runState.ts';
import { createRange } from '../support/calls.mts';
import { useClock } from '../support/clock.mts';
import { rawSamples } from '../support/media/recordings.mts';
import { createAudio, createResponse, stubCredential } from '../support/stubItem.mts';
import { isSettled, waitForever, rejectWhenAborted } from '../support/waiting.mts';
import {
	continueOnFailure,
	failureSettings,
	createDelayedResponse,
	listKinds,
	readMessages,
	respondWith,
	run,
	StubService,
	type ItemSetup,
} from './stubService.mts';

const canceled = 'The execution was canceled';

const respondWithAudio = () =>
	createResponse(200, { 'content-type': 'audio/L16' }, Readable.from([rawSamples]));

interface Wait {
	/** What is not over when the run is canceled. */
	wait: string;
	/** Items 1 and 3 of five. */
	setup: ItemSetup;
	batching?: RunSettings['batching'];
	/** The kinds of all outcomes, by Concurrency. */
	kinds: Record<1 | 2 | 3, string>;
}

const waits: Wait[] = [
	{
		wait: 'the credential of an item is read',
		setup: { readCredential: waitForever },
		kinds: {
			1: 'succeeded blocked blocked blocked blocked',
			2: 'succeeded blocked succeeded blocked blocked',
			3: 'succeeded blocked succeeded blocked succeeded',
		},
	},
	{
		wait: 'the audio of an item opens',
		setup: { audio: createAudio(waitForever) },
		kinds: {
			1: 'succeeded blocked blocked blocked blocked',
			2: 'succeeded blocked succeeded blocked blocked',
			3: 'succeeded blocked succeeded blocked succeeded',
		},
	},
	{
		wait: 'an item waits to be retried',
		setup: { responses: [respondWith(429, { 'retry-after': '60' })] },
		kinds: {
			1: 'succeeded blocked blocked blocked blocked',
			2: 'succeeded blocked blocked blocked blocked',
			3: 'succeeded blocked succeeded blocked blocked',
		},
	},
	{
		wait: 'an item waits for its batch',
		setup: {},
		batching: { size: 1, intervalMs: 60_000 },
		kinds: {
			1: 'succeeded blocked blocked blocked blocked',
			2: 'succeeded blocked blocked blocked blocked',
			3: 'succeeded blocked blocked blocked blocked',
		},
	},
	{
		wait: 'a response is awaited',
		setup: { responses: [waitForever] },
		kinds: {
			1: 'succeeded failed blocked blocked blocked',
			2: 'succeeded failed succeeded failed blocked',
			3: 'succeeded failed succeeded failed succeeded',
		},
	},
	{
		wait: 'a response is stored',
		setup: { responses: [respondWithAudio], store: waitForever },
		kinds: {
			1: 'succeeded failed blocked blocked blocked',
			2: 'succeeded failed succeeded failed blocked',
			3: 'succeeded failed succeeded failed succeeded',
		},
	},
];

const waitsWithConcurrency = waits.flatMap(({ kinds, ...wait }) =>
	([1, 2, 3] as const).map((concurrency) => ({
		...wait,
		concurrency,
		kinds: kinds[concurrency].split(' '),
	})),
);

const clock = useClock();

/** The outcome of a canceled run, which must come within a second (docs/credits.md, rule 6). */
async function readOutcomeInTime(running: Promise<RunOutcome>): Promise<RunOutcome> {
	await clock.advance(1_000);
	expect(await isSettled(running)).toBe(true);
	return await running;
}

/** Like n8n's client, ends a request whose signal aborts. */
function endWithSignal(items: Item[]): Item[] {
	for (const item of items) {
		const { send } = item;
		item.send = async (request, body, signal) =>
			await Promise.race([send(request, body, signal), rejectWhenAborted(signal)]);
	}
	return items;
}

it.each(waitsWithConcurrency)(
	'gives each item an outcome within a second if the run is canceled while $wait (Concurrency $concurrency)',
	async ({ setup, kinds, batching = { size: 1, intervalMs: 0 }, concurrency }) => {
		const service = new StubService();
		const cancel = new AbortController();
		const items = endWithSignal(service.createItems({}, setup, {}, setup, {}));
		const cancelSignal = cancel.signal;
		const running = run(items, { ...continueOnFailure, concurrency, batching, cancelSignal });
		expect(await isSettled(running)).toBe(false);
		const sent = service.requests.length;
		cancel.abort();
		const outcome = await readOutcomeInTime(running);
		expect(service.requests).toHaveLength(sent);
		expect(listKinds(outcome)).toEqual(kinds);
		expect(await readMessages(outcome)).toEqual(
			kinds.map((kind) => (kind === 'succeeded' ? undefined : canceled)),
		);
	},
);

it.each(waitsWithConcurrency)(
	'fails a run that stops on failure within a second if it is canceled while $wait (Concurrency $concurrency)',
	async ({ setup, batching = { size: 1, intervalMs: 0 }, concurrency }) => {
		const service = new StubService();
		const cancel = new AbortController();
		const items = endWithSignal(service.createItems({}, setup));
		const running = run(items, { concurrency, batching, cancelSignal: cancel.signal });
		expect(await isSettled(running)).toBe(false);
		const sent = service.requests.length;
		cancel.abort();
		const outcome = await readOutcomeInTime(running);
		expect(service.requests).toHaveLength(sent);
		expect(outcome.kind).toBe('failed');
		expect(await readMessages(outcome)).toEqual([canceled]);
	},
);

it.each(failureSettings)(
	'sends nothing if a run is canceled before its start and the node $onFailure on failure',
	async ({ stopsOnFailure }) => {
		const service = new StubService();
		let checks = 0;
		const setup: ItemSetup = {
			async readCredential() {
				checks++;
				return stubCredential;
			},
		};
		const items = service.createItems(setup, setup);
		const outcome = await run(items, { stopsOnFailure, cancelSignal: AbortSignal.abort() });
		expect(service.requests).toEqual([]);
		expect(checks).toBe(0);
		expect(listKinds(outcome)).toEqual(stopsOnFailure ? ['run failed'] : ['blocked', 'blocked']);
		expect(new Set(await readMessages(outcome))).toEqual(new Set([canceled]));
	},
);

it('reports the failure that stopped a run and not its later cancellation', async () => {
	const service = new StubService();
	const state = new RunState();
	const cancel = new AbortController();
	const first = createDelayedResponse();
	const items = endWithSignal(
		service.createItems({ responses: [first.respond] }, { responses: [waitForever] }),
	);
	const running = run(items, { concurrency: 2, cancelSignal: cancel.signal }, state);
	await waitUntil(() => service.inProgress === 2);
	first.release(422);
	await waitUntil(() => state.getDebitRecord(0).debit === 'refused');
	cancel.abort();
	expect(await readMessages(await running)).toEqual([expect.stringContaining('(422)')]);
});

it('cancels a run in which the audio of many items opens without a warning of too many listeners', async () => {
	const warnings: Error[] = [];
	const onWarning = (warning: Error) => warnings.push(warning);
	process.on('warning', onWarning);
	try {
		const service = new StubService();
		const cancel = new AbortController();
		let openings = 0;
		const audio = createAudio(async () => {
			openings++;
			return await waitForever();
		});
		const items = createRange(30).map((index) => service.createItem(index, { audio }));
		const cancelSignal = cancel.signal;
		const running = run(items, { ...continueOnFailure, concurrency: 30, cancelSignal });
		await waitUntil(() => openings === items.length);
		cancel.abort();
		await running;
	} finally {
		process.off('warning', onWarning);
	}
	expect(warnings).toEqual([]);
});

it('keeps results of an earlier try of Retry On Fail if the execution is canceled in a later one', async () => {
	const service = new StubService();
	const state = new RunState();
	const setup = { responses: [respondWith(500), waitForever] };
	const items = endWithSignal(service.createItems(setup, {}));
	await run(items, continueOnFailure, state);
	const cancel = new AbortController();
	const settings = { ...continueOnFailure, concurrency: 1, cancelSignal: cancel.signal };
	const running = run(items, settings, state);
	await waitUntil(() => service.requests.length === 3);
	cancel.abort();
	expect(listKinds(await running)).toEqual(['failed', 'kept']);
	expect(service.requests).toEqual([0, 1, 0]);
});
