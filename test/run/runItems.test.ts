/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- tests run on a developer's machine, never in n8n */
import fc from 'fast-check';
import { sleep, type ICredentialDataDecryptedObject } from 'n8n-workflow';
import { Readable } from 'node:stream';

import type { AudioSource } from '../../nodes/VoiceSpeech/audio/reader';
import type { Item } from '../../nodes/VoiceSpeech/call/item';
import { emptyFile } from '../../nodes/VoiceSpeech/errors/inputError';
import { analyzeSentiment } from '../../nodes/VoiceSpeech/resources/language/analyzeSentiment';
import {
	runItems,
	type ItemOutcome,
	type RunOutcome,
	type RunSettings,
} from '../../nodes/VoiceSpeech/run/runItems';
import { RunState } from '../../nodes/VoiceSpeech/run/runState';
import {
	apiKey,
	audioOf,
	credential,
	itemReading,
	networkFault,
	never,
	response,
	settle,
	settleAll,
	settleTurns,
	untilAborted,
	type Send,
} from '../call/call';
import { range } from '../support/calls';

const otherKey = 'eak_test_another';

/** How the service responds to a request. */
type Respond = () => ReturnType<Send> | Awaited<ReturnType<Send>>;

interface ItemSetup {
	/** How the service responds; each response but the last is used once. */
	responses?: Respond[];
	key?: string;
	parameters?: Record<string, unknown>;
	readCredential?: Item['readCredential'];
	/** Of an item that sends audio. */
	audio?: Partial<AudioSource>;
}

/** The service, and what it sees of the calls. */
class Service {
	/** Index of the item of each request, in their order. */
	readonly requests: number[] = [];
	/** When each request was sent, in ms since the service was made. */
	readonly times: number[] = [];
	/** Requests without a response yet. */
	inProgress = 0;
	mostInProgress = 0;
	private readonly startedAt = Date.now();

	item(index: number, setup: ItemSetup = {}): Item {
		const { key = apiKey, audio, parameters } = setup;
		const responses = [...(setup.responses ?? [() => response(200)])];
		const readCredential = async (): Promise<ICredentialDataDecryptedObject> => ({
			...credential,
			apiKey: key,
		});
		const source: AudioSource = {
			identity: [index],
			check: async () => {},
			open: audioOf(100),
			...audio,
		};
		return itemReading(
			analyzeSentiment,
			{ inputType: audio === undefined ? 'text' : 'audio', ...parameters },
			{
				index,
				readCredential: setup.readCredential ?? readCredential,
				findFile: () => source,
				send: async () => {
					this.requests.push(index);
					this.times.push(Date.now() - this.startedAt);
					this.inProgress++;
					this.mostInProgress = Math.max(this.mostInProgress, this.inProgress);
					const respond = responses.length > 1 ? responses.shift() : responses[0];
					try {
						return await respond!();
					} finally {
						this.inProgress--;
					}
				},
			},
		);
	}

	items(...setups: ItemSetup[]): Item[] {
		return setups.map((setup, index) => this.item(index, setup));
	}
}

const settings = (changed: Partial<RunSettings> = {}): RunSettings => ({
	concurrency: 1,
	batching: { size: 1, intervalMs: 0 },
	stopsOnFailure: true,
	cancelSignal: undefined,
	...changed,
});

const continuing = { stopsOnFailure: false };

async function run(items: Item[], changed: Partial<RunSettings> = {}, state = new RunState()) {
	return await runItems(items, state, settings(changed));
}

const status =
	(code: number, headers: object = {}): Respond =>
	() =>
		response(code, headers);

/** A response that the test sends. */
function held() {
	let release: (code: number) => void = () => {};
	const released = new Promise<number>((resolve) => (release = resolve));
	return { release, respond: async () => response(await released) };
}

const failsToRead = async () => await Promise.reject(new Error('expression'));

/** The outcomes of a run that completed, each in a word. */
function kindsOf(outcome: RunOutcome): string[] {
	if (outcome.kind === 'failed') return ['run failed'];
	return outcome.outcomes.map((one) => {
		if (one.kind === 'succeeded') return one.isFromEarlierTry ? 'reused' : 'succeeded';
		return one.kind;
	});
}

async function messageOf(outcome: ItemOutcome | undefined): Promise<string | undefined> {
	if (outcome === undefined || outcome.kind === 'succeeded') return undefined;
	return (await outcome.failure.error).message;
}

async function messagesOf(outcome: RunOutcome): Promise<Array<string | undefined>> {
	if (outcome.kind === 'failed') return [(await outcome.failure.error).message];
	return await Promise.all(outcome.outcomes.map(messageOf));
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	let settled = false;
	void promise.then(() => (settled = true));
	await settleAll();
	return settled;
}

describe('the number of calls in progress', () => {
	it('never runs more calls than Concurrency, over thousands of items that start in their order', async () => {
		const service = new Service();
		const responses: Respond[] = [
			async () => {
				await settle();
				return response(200);
			},
		];
		const items = range(1500).map((index) => service.item(index, { responses }));
		const outcome = await run(items, { concurrency: 7, ...continuing });
		expect(service.mostInProgress).toBe(7);
		expect(service.requests).toEqual(range(1500));
		expect(new Set(kindsOf(outcome))).toEqual(new Set(['succeeded']));
	});

	it.each([
		{ concurrency: 1, most: 1 },
		{ concurrency: 1.9, most: 1 },
		{ concurrency: 3, most: 3 },
		{ concurrency: 9, most: 4 },
	])(
		'runs at most $most of four calls with the Concurrency $concurrency',
		async ({ concurrency, most }) => {
			const service = new Service();
			const calls = range(4).map(held);
			const running = run(
				service.items(...calls.map(({ respond }) => ({ responses: [respond] }))),
				{
					concurrency,
				},
			);
			await settleAll();
			expect(service.inProgress).toBe(most);
			for (const { release } of calls) {
				release(200);
				await settleAll();
			}
			expect(kindsOf(await running)).toEqual(Array(4).fill('succeeded'));
			expect(service.mostInProgress).toBe(most);
		},
	);

	it('counts a call that waits to be repeated as one in progress', async () => {
		const service = new Service();
		const items = service.items(
			{ responses: [status(429, { 'retry-after': '0.2' }), status(200)] },
			{},
			{},
		);
		await run(items, { concurrency: 1 });
		expect(service.requests).toEqual([0, 0, 1, 2]);
	});
});

it('returns no outcomes for no items', async () => {
	expect(await run([])).toEqual({ kind: 'completed', outcomes: [] });
	expect(await run([], continuing)).toEqual({ kind: 'completed', outcomes: [] });
});

it.each([{ stopsOnFailure: true }, continuing])(
	'returns outcomes in the order of the items, and not of the responses (stops on failure: $stopsOnFailure)',
	async ({ stopsOnFailure }) => {
		const service = new Service();
		const calls = range(3).map(held);
		const items = service.items(...calls.map(({ respond }) => ({ responses: [respond] })));
		for (const item of items) {
			const { send } = item;
			item.send = async (...sent) => ({
				...(await send(...sent)),
				body: Readable.from([Buffer.from(JSON.stringify({ item: item.index }))]) as never,
			});
		}
		const running = run(items, { concurrency: 3, stopsOnFailure });
		for (const position of [2, 0, 1]) {
			await settleAll();
			calls[position]?.release(200);
		}
		const outcome = await running;
		const responses =
			outcome.kind === 'completed' &&
			outcome.outcomes.map((one) => one.kind === 'succeeded' && one.call.output.json);
		expect(responses).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	},
);

it.each([
	{ slowest: 'last', delays: [5, 4, 3, 2, 1, 6] },
	{ slowest: 'first', delays: [6, 1, 2, 3, 4, 5] },
])(
	'starts calls in the order of the items if the check of the $slowest one is slowest',
	async (row) => {
		const service = new Service();
		const items = service.items(
			...row.delays.map((delay) => ({
				readCredential: async () => {
					await sleep(delay * 10);
					return credential;
				},
			})),
		);
		await run(items, { concurrency: 6 });
		expect(service.requests).toEqual(range(6));
	},
);

it.each([
	{
		what: 'whose connection broke',
		setup: { responses: [async () => await Promise.reject(networkFault(false))] },
	},
	{ what: 'whose audio cannot be read', setup: { audio: { open: failsToRead } } },
])('starts no call after an item $what, if the node stops on failure', async ({ setup }) => {
	const service = new Service();
	expect(kindsOf(await run(service.items(setup, {})))).toEqual(['run failed']);
	expect(service.requests).not.toContain(1);
});

describe('with Batching', () => {
	it('starts each batch after its interval, and all of its items together', async () => {
		const service = new Service();
		const batching = { size: 2, intervalMs: 100 };
		const responses = range(5).map(() => held());
		const items = service.items(...responses.map(({ respond }) => ({ responses: [respond] })));
		const running = run(items, { concurrency: 5, batching });
		while (service.requests.length < 5) await sleep(10);
		expect(service.requests).toEqual(range(5));
		for (const [position, earliest] of [0, 0, 100, 100, 200].entries()) {
			expect(service.times[position]).toBeGreaterThanOrEqual(earliest - 5);
		}
		for (const { release } of responses) release(200);
		await running;
	});

	it('starts items of a batch in their order, even if the time passes while they are taken', async () => {
		const service = new Service();
		const now = jest.spyOn(Date, 'now');
		// Each item finds less time left than the one before it.
		let time = 1000;
		now.mockImplementation(() => time++);
		const batching = { size: 4, intervalMs: 1000 };
		await run(service.items(...range(8).map(() => ({}))), { concurrency: 8, batching });
		now.mockRestore();
		expect(service.requests).toEqual(range(8));
	});

	it('counts the interval of Batching from start to start, whether or not the calls before have ended', async () => {
		const service = new Service();
		const first = held();
		const running = run(service.items({ responses: [first.respond] }, {}), {
			concurrency: 2,
			batching: { size: 1, intervalMs: 100 },
		});
		while (service.requests.length < 2) await sleep(5);
		expect(service.times[1]).toBeGreaterThanOrEqual(95);
		first.release(200);
		expect(kindsOf(await running)).toEqual(['succeeded', 'succeeded']);
	});

	it('starts a batch at once whose time has come while earlier calls were in progress', async () => {
		const service = new Service();
		const slow: Respond = async () => {
			await sleep(300);
			return response(200);
		};
		await run(service.items({ responses: [slow] }, {}, {}), {
			concurrency: 1,
			batching: { size: 1, intervalMs: 100 },
		});
		const [first = 0, second = 0, third = 0] = service.times;
		expect(second - first).toBeGreaterThanOrEqual(295);
		expect(third - second).toBeLessThan(95);
	});

	const batching = { size: 1, intervalMs: 60_000 };

	it('checks all items of all batches before the first call if the node stops on failure', async () => {
		const service = new Service();
		const items = service.items({}, {}, { readCredential: failsToRead });
		const outcome = await run(items, { batching });
		expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 2 } });
		expect(service.requests).toEqual([]);
	});

	it('checks an item when its batch starts if the node continues on failure', async () => {
		const service = new Service();
		const readCredential = jest.fn(async () => credential);
		const running = run(service.items({}, { readCredential }), {
			...continuing,
			batching: { size: 1, intervalMs: 200 },
		});
		await settleAll();
		expect(service.requests).toEqual([0]);
		expect(readCredential).not.toHaveBeenCalled();
		await running;
		expect(readCredential).toHaveBeenCalledTimes(1);
	});

	it('ends the wait for the next batch after a failure if the node stops on failure', async () => {
		const service = new Service();
		const items = service.items({ responses: [status(422)] }, {}, {});
		const outcome = await run(items, { batching, concurrency: 3 });
		expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 0 } });
		expect(service.requests).toEqual([0]);
	});
});

describe('if the node stops on failure', () => {
	it.each([
		{ check: 'the request cannot be prepared', bad: { readCredential: failsToRead } },
		{
			check: 'the file does not exist',
			bad: { audio: { check: async () => await Promise.reject(emptyFile('a.wav')) } },
		},
	])(
		'sends nothing if $check, and checks no later item, if the node stops on failure',
		async ({ bad }) => {
			const service = new Service();
			const later = jest.fn(async () => credential);
			const items = service.items({}, bad, { readCredential: later }, bad);
			const outcome = await run(items, { concurrency: 4 });
			expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 1 } });
			expect(service.requests).toEqual([]);
			expect(later).not.toHaveBeenCalled();
		},
	);

	it('sends nothing if the first bytes of a later file cannot be read and the node stops on failure', async () => {
		const service = new Service();
		const open = async () => await Promise.reject(new Error('gone'));
		const outcome = await run(service.items({}, { audio: { open } }));
		expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 1 } });
		expect(service.requests).toEqual([]);
	});

	it('closes a file after it has read its first bytes', async () => {
		const service = new Service();
		const close = jest.fn();
		const open = async (signal: AbortSignal) => ({ ...(await audioOf(100)(signal)), close });
		await run(service.items({ audio: { open } }, { readCredential: failsToRead }));
		expect(close).toHaveBeenCalledTimes(1);
	});

	it('opens the file of a single item once', async () => {
		const service = new Service();
		const open = jest.fn(audioOf(100));
		await run(service.items({ audio: { open } }));
		expect(open).toHaveBeenCalledTimes(1);
		expect(service.requests).toEqual([0]);
	});

	it('fetches audio from a URL only after the calls of earlier items', async () => {
		const service = new Service();
		const fetchAudio = jest.fn(async () => await Promise.reject(new Error('no server')));
		const parameters = {
			inputType: 'audio',
			audioSource: 'url',
			audioUrl: 'https://example.com/a.wav',
		};
		const later = { ...service.item(1, { parameters }), fetchAudio: () => fetchAudio };
		await run([service.item(0, { responses: [status(422)] }), later]);
		expect(service.requests).toEqual([0]);
		expect(fetchAudio).not.toHaveBeenCalled();
	});

	it.each([422, 402, 500])(
		'starts no call after a response with status %i if the node stops on failure',
		async (code) => {
			const service = new Service();
			const items = service.items({}, { responses: [status(code)] }, {}, {});
			const outcome = await run(items);
			expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 1, apiKey } });
			expect(await messagesOf(outcome)).toEqual([expect.stringContaining(`(${code})`)]);
			expect(service.requests).toEqual([0, 1]);
		},
	);

	it('waits for the calls in progress after a failure, so that a later try does not pay their results again', async () => {
		const service = new Service();
		const state = new RunState();
		const calls = range(3).map(held);
		const items = service.items(...calls.map(({ respond }) => ({ responses: [respond] })), {});
		const running = run(items, { concurrency: 3 }, state);
		await settleAll();
		calls[1]?.release(422);
		expect(await isSettled(running)).toBe(false);
		calls[0]?.release(200);
		expect(await isSettled(running)).toBe(false);
		calls[2]?.release(500);
		expect(await running).toMatchObject({ kind: 'failed', failure: { index: 1 } });
		expect(service.requests).toEqual([0, 1, 2]);
		expect(range(4).map((index) => state.getPayment(index))).toEqual([
			'debited',
			'refused',
			'possible',
			'notSent',
		]);
		expect(state.getLastCall(0)).toMatchObject({ output: { json: { a: 1 } } });
		expect(state.countOtherPaidItems(1)).toBe(2);
	});

	it.each([
		{ what: 'reacts to its signal', open: untilAborted },
		{ what: 'reacts to nothing', open: never },
	])('does not wait for audio that opens and $what after a failure', async ({ open }) => {
		const service = new Service();
		const audio = {
			open: jest
				.fn<ReturnType<AudioSource['open']>, [AbortSignal]>(open)
				.mockImplementationOnce(audioOf(100)),
		};
		const items = service.items({ audio }, { responses: [status(422)] });
		const outcome = await run(items, { concurrency: 2 });
		expect(outcome).toMatchObject({ kind: 'failed', failure: { index: 1 } });
		expect(service.requests).toEqual([1]);
	});

	it('ends the wait for a back-off after a failure if the node stops on failure', async () => {
		const service = new Service();
		const second = held();
		const items = service.items(
			{ responses: [status(429, { 'retry-after': '60' })] },
			{ responses: [second.respond] },
		);
		const running = run(items, { concurrency: 2 });
		await settleAll();
		second.release(500);
		expect(await running).toMatchObject({ kind: 'failed', failure: { index: 1 } });
		expect(service.requests).toEqual([0, 1]);
	});
});

describe('if the node continues on failure', () => {
	it('changes nothing for the others after the failure of an item if the node continues on failure', async () => {
		const service = new Service();
		const setups: ItemSetup[] = [
			{},
			{ readCredential: failsToRead },
			{ audio: { open: async () => await Promise.reject(new Error('gone')) } },
			{ responses: [status(422)] },
			{ responses: [async () => await Promise.reject(networkFault(false))] },
			{ responses: [status(403)] },
			{ responses: [status(500)] },
			{},
		];
		const state = new RunState();
		const outcome = await run(service.items(...setups), continuing, state);
		const failed = Array<string>(6).fill('failed');
		expect(kindsOf(outcome)).toEqual(['succeeded', ...failed, 'succeeded']);
		expect(service.requests).toEqual([0, 3, 4, 5, 6, 7]);
		expect(range(8).map((index) => state.getPayment(index))).toEqual([
			'debited',
			'notSent',
			'notSent',
			'refused',
			'possible',
			'refused',
			'possible',
			'debited',
		]);
	});

	it('does not check the file of an item before the calls of the others if the node continues on failure', async () => {
		const service = new Service();
		const check = jest.fn(failsToRead);
		const outcome = await run(service.items({}, { audio: { check } }), continuing);
		expect(kindsOf(outcome)).toEqual(['succeeded', 'succeeded']);
		expect(check).not.toHaveBeenCalled();
	});

	it.each([401, 402])(
		'stops only the items with the same key after a status %i if the node continues on failure',
		async (code) => {
			const service = new Service();
			const outcome = await run(
				service.items(
					{},
					{ responses: [status(code)] },
					{},
					{ key: otherKey },
					{ audio: {} },
					{ key: otherKey },
				),
				continuing,
			);
			expect(kindsOf(outcome)).toEqual([
				'succeeded',
				'failed',
				'blocked',
				'succeeded',
				'blocked',
				'succeeded',
			]);
			expect(service.requests).toEqual([0, 1, 3, 5]);
			const [, refused, blocked] = await messagesOf(outcome);
			expect(blocked).toBe(`This item was not sent, because item 1 was refused: ${refused}`);
		},
	);

	it('ends the opening of audio with a refused key only', async () => {
		const service = new Service();
		let finishOpening = () => {};
		const opening = new Promise<void>((resolve) => (finishOpening = resolve));
		const items = service.items(
			{ audio: { open: never } },
			{
				key: otherKey,
				audio: {
					async open(signal) {
						await opening;
						return await audioOf(100)(signal);
					},
				},
			},
			{ responses: [status(402)] },
		);
		const running = run(items, { ...continuing, concurrency: 3 });
		await settleAll();
		finishOpening();
		expect(kindsOf(await running)).toEqual(['blocked', 'succeeded', 'failed']);
	});

	it("waits with a blocked item for the service's words, and does not repeat the key in them", async () => {
		const service = new Service();
		const body = new Readable({ read() {} });
		// Its check ends after the first call was refused.
		const readCredential = async () => {
			await settleAll();
			return credential;
		};
		const refusal = { responses: [() => response(401, {}, body)] };
		const running = run(service.items(refusal, { readCredential }), {
			...continuing,
			concurrency: 2,
		});
		await settleTurns(50);
		expect(service.requests).toEqual([0]);
		expect(await isSettled(running)).toBe(false);
		body.push(`{"message":"Unknown key ${apiKey}."}`);
		body.push(null);
		const [, blocked] = await messagesOf(await running);
		expect(blocked).toMatch(/^This item was not sent, because item 0 was refused: .*\(401\)/);
		expect(blocked).toContain('Unknown key eak_test_***');
		expect(blocked).not.toContain(apiKey);
	});

	it('says for an item that waits to be repeated that it was not sent again', async () => {
		const service = new Service();
		const second = held();
		const items = service.items(
			{ responses: [status(429, { 'retry-after': '60' })] },
			{ responses: [second.respond] },
		);
		const state = new RunState();
		const running = run(items, { ...continuing, concurrency: 2 }, state);
		await settleAll();
		second.release(402);
		const outcome = await running;
		expect(kindsOf(outcome)).toEqual(['blocked', 'failed']);
		expect((await messagesOf(outcome))[0]).toMatch(
			/^This item was not sent again, because item 1 was refused/,
		);
		expect(state.getPayment(0)).toBe('refused');
	});
});

describe('a call that was refused before any work', () => {
	it('sends a refused call again after the wait, which holds back the other calls', async () => {
		const service = new Service();
		const state = new RunState();
		const items = service.items(
			{ responses: [status(429, { 'retry-after': '0.3' }), status(200)] },
			{},
		);
		const running = run(items, { concurrency: 2, batching: { size: 1, intervalMs: 50 } }, state);
		while (state.getPayment(0) !== 'refused') await sleep(5);
		expect(service.requests).toEqual([0]);
		expect(kindsOf(await running)).toEqual(['succeeded', 'succeeded']);
		expect(state.getPayment(0)).toBe('debited');
		expect([...service.requests].sort()).toEqual([0, 0, 1]);
		const [first = 0, ...others] = service.times;
		for (const time of others) expect(time - first).toBeGreaterThanOrEqual(295);
	});

	it('sends a refused call again as often as Rate Limit Retries allows, and then fails', async () => {
		const service = new Service();
		const options = { rateLimitRetries: 2 };
		const responses = [status(429, { 'retry-after': '0' })];
		const items = service.items({ responses, parameters: { options } });
		const outcome = await run(items, continuing);
		expect(kindsOf(outcome)).toEqual(['failed']);
		expect(await messagesOf(outcome)).toEqual([expect.stringContaining('(429)')]);
		expect(service.requests).toEqual([0, 0, 0]);
	});

	it('leaves a refused call all its retries after it has waited for another call', async () => {
		const service = new Service();
		const state = new RunState();
		const open = jest.fn(audioOf(4)).mockImplementationOnce(async (signal) => {
			state.backoff.begin(1);
			return await audioOf(4)(signal);
		});
		const items = service.items({
			audio: { open },
			responses: [status(429, { 'retry-after': '0' }), status(200)],
			parameters: { options: { rateLimitRetries: 1 } },
		});
		expect(kindsOf(await run(items, {}, state))).toEqual(['succeeded']);
		expect(open).toHaveBeenCalledTimes(3);
		expect(service.requests).toEqual([0, 0]);
	});

	it('holds back the calls of the next try of the same run during a back-off', async () => {
		const service = new Service();
		const state = new RunState();
		state.backoff.begin(0.2);
		await run(service.items({}), {}, state);
		expect(service.times[0]).toBeGreaterThanOrEqual(195);
	});
});

describe('a cancellation', () => {
	const slowBackoff = { responses: [status(429, { 'retry-after': '60' })] };
	const phases: Array<{
		phase: string;
		setup: ItemSetup;
		batching?: RunSettings['batching'];
		/** How an item ends that waited. */
		unsuccessful: ItemOutcome['kind'];
	}> = [
		{
			phase: 'its credential is read',
			setup: { readCredential: never },
			unsuccessful: 'blocked',
		},
		{ phase: 'its audio opens', setup: { audio: { open: never } }, unsuccessful: 'blocked' },
		{ phase: 'it waits to be repeated', setup: slowBackoff, unsuccessful: 'blocked' },
		{
			phase: 'it waits for its batch',
			setup: {},
			batching: { size: 1, intervalMs: 60_000 },
			unsuccessful: 'blocked',
		},
		{ phase: 'its response is awaited', setup: { responses: [never] }, unsuccessful: 'failed' },
	];
	const canceled = 'The execution was canceled';

	/** Like n8n's client, ends a request whose signal aborts. */
	function endingWithSignal(items: Item[]): Item[] {
		for (const item of items) {
			const { send } = item;
			item.send = async (request, body, signal) =>
				await Promise.race([send(request, body, signal), untilAborted(signal)]);
		}
		return items;
	}

	describe.each(phases)(
		'while an item waits: $phase',
		({ phase, setup, unsuccessful, batching = { size: 1, intervalMs: 0 } }) => {
			it.each([1, 2, 3])(
				`gives each item its outcome if it is canceled while an item waits: ${phase}, with Concurrency %i`,
				async (concurrency) => {
					const service = new Service();
					const cancel = new AbortController();
					const items = endingWithSignal(service.items({}, setup, {}, setup, {}));
					const cancelSignal = cancel.signal;
					const running = run(items, { ...continuing, concurrency, batching, cancelSignal });
					expect(await isSettled(running)).toBe(false);
					const sent = service.requests.length;
					cancel.abort();
					const outcome = await running;
					expect(service.requests).toHaveLength(sent);
					const kinds = kindsOf(outcome);
					expect(kinds).toHaveLength(5);
					for (const [position, message] of (await messagesOf(outcome)).entries()) {
						expect(message).toBe(kinds[position] === 'succeeded' ? undefined : canceled);
					}
					expect(kinds).toContain(unsuccessful);
				},
			);

			it.each([1, 2, 3])(
				`fails a run that stops on failure and is canceled while an item waits: ${phase}, with Concurrency %i`,
				async (row) => {
					const service = new Service();
					const cancel = new AbortController();
					const items = endingWithSignal(service.items({}, setup));
					const cancelSignal = cancel.signal;
					const running = run(items, { concurrency: row, batching, cancelSignal });
					expect(await isSettled(running)).toBe(false);
					const sent = service.requests.length;
					cancel.abort();
					const outcome = await running;
					expect(service.requests).toHaveLength(sent);
					expect(outcome.kind).toBe('failed');
					expect(await messagesOf(outcome)).toEqual([canceled]);
				},
			);
		},
	);

	it.each([{ stopsOnFailure: true }, continuing])(
		'sends nothing if it is canceled before the start (stops on failure: $stopsOnFailure)',
		async ({ stopsOnFailure }) => {
			const service = new Service();
			const readCredential = jest.fn(async () => credential);
			const items = service.items({ readCredential }, { readCredential });
			const cancelSignal = AbortSignal.abort();
			const outcome = await run(items, { stopsOnFailure, cancelSignal });
			expect(service.requests).toEqual([]);
			expect(readCredential).not.toHaveBeenCalled();
			expect(kindsOf(outcome)).toEqual(stopsOnFailure ? ['run failed'] : ['blocked', 'blocked']);
			expect(new Set(await messagesOf(outcome))).toEqual(new Set([canceled]));
		},
	);

	it('keeps the failure that stopped the run before its cancellation', async () => {
		const service = new Service();
		const cancel = new AbortController();
		const first = held();
		const items = endingWithSignal(
			service.items({ responses: [first.respond] }, { responses: [never] }),
		);
		const running = run(items, { concurrency: 2, cancelSignal: cancel.signal });
		await settleAll();
		first.release(422);
		await settleAll();
		cancel.abort();
		expect(await messagesOf(await running)).toEqual([expect.stringContaining('(422)')]);
	});

	it('cancels many items whose audio opens, without a warning of too many listeners', async () => {
		const warnings: Error[] = [];
		const onWarning = (warning: Error) => warnings.push(warning);
		process.on('warning', onWarning);
		const service = new Service();
		const cancel = new AbortController();
		const items = range(30).map((index) => service.item(index, { audio: { open: never } }));
		const cancelSignal = cancel.signal;
		const running = run(items, { ...continuing, concurrency: 30, cancelSignal });
		await settleAll();
		cancel.abort();
		await running;
		process.off('warning', onWarning);
		expect(warnings).toEqual([]);
	});
});

describe.each([{ stopsOnFailure: true }, continuing])(
	'a later try of a run (stops on failure: $stopsOnFailure)',
	({ stopsOnFailure }) => {
		async function afterFirstTry(...setups: ItemSetup[]) {
			const service = new Service();
			const state = new RunState();
			const items = service.items(...setups);
			await run(items, { stopsOnFailure }, state);
			const next = async () => await run(items, { stopsOnFailure }, state);
			return { service, items, next };
		}

		it(`sends only items again in a later try that did not succeed (stops on failure: ${stopsOnFailure})`, async () => {
			const { service, next } = await afterFirstTry({}, { responses: [status(500), status(200)] });
			expect(kindsOf(await next())).toEqual(['reused', 'succeeded']);
			expect(service.requests).toEqual([0, 1, 1]);
			expect(kindsOf(await next())).toEqual(['reused', 'reused']);
			expect(service.requests).toEqual([0, 1, 1]);
		});

		it(`keeps the result of an item whose request cannot be prepared any more in a later try (stops on failure: ${stopsOnFailure})`, async () => {
			const { items, next } = await afterFirstTry({});
			(items[0] as Item).readCredential = failsToRead;
			expect(kindsOf(await next())).toEqual(['reused']);
		});

		it(`does not look in a later try for the file of an item that succeeded (stops on failure: ${stopsOnFailure})`, async () => {
			const check = jest.fn(async () => {});
			const open = jest.fn(audioOf(100));
			const { next } = await afterFirstTry({ audio: { check, open } });
			check.mockImplementation(failsToRead);
			open.mockImplementation(failsToRead);
			expect(kindsOf(await next())).toEqual(['reused']);
		});

		it.each([
			{
				what: 'key',
				change: { readCredential: async () => ({ ...credential, apiKey: otherKey }) },
			},
			{
				what: 'address',
				change: { readCredential: async () => ({ ...credential, baseUrl: 'https://b.example' }) },
			},
			{ what: 'text', change: { read: itemReading(analyzeSentiment, { text: 'New' }).read } },
		])(
			`sends an item again in a later try whose $what has changed (stops on failure: ${stopsOnFailure})`,
			async ({ change }) => {
				const { service, items, next } = await afterFirstTry({});
				Object.assign(items[0] as Item, change);
				expect(kindsOf(await next())).toEqual(['succeeded']);
				expect(service.requests).toEqual([0, 0]);
			},
		);

		it(`is not stopped in a later try by the failure of the try before (stops on failure: ${stopsOnFailure})`, async () => {
			const { service, next } = await afterFirstTry({ responses: [status(402), status(200)] }, {});
			expect(kindsOf(await next())).toEqual(['succeeded', 'succeeded']);
			expect(service.requests).toEqual([0, 0, 1]);
		});
	},
);

describe('n8n can do other work', () => {
	/** Occupies the process. */
	function computeFor(milliseconds: number): void {
		const end = Date.now() + milliseconds;
		while (Date.now() < end);
	}

	/** How many turns the event loop makes meanwhile. */
	async function countTurns(running: Promise<unknown>): Promise<number> {
		let isRunning = true;
		void running.then(() => (isRunning = false));
		let turns = 0;
		while (isRunning) {
			await settle();
			turns++;
		}
		return turns;
	}

	const checkMs = 5;
	const readSlowly = async () => {
		computeFor(checkMs);
		return await Promise.reject(new Error('expression'));
	};
	const readTextSlowly = async () => {
		computeFor(checkMs);
		return credential;
	};
	/** All checks take half a second; without a pause between them, there are one or two turns. */
	const leastTurns = 5;

	it.each([
		{ what: 'are checked before the first call', stopsOnFailure: true, last: readSlowly },
		{ what: 'fail one after the other', stopsOnFailure: false, last: readSlowly },
	])('lets n8n do other work while many items $what', async ({ stopsOnFailure, last }) => {
		const service = new Service();
		const read = stopsOnFailure ? readTextSlowly : readSlowly;
		const items = range(100).map((index) =>
			service.item(index, { readCredential: index === 99 ? last : read }),
		);
		const turns = await countTurns(run(items, { stopsOnFailure }));
		expect(service.requests).toEqual([]);
		expect(turns).toBeGreaterThanOrEqual(leastTurns);
	});

	it('lets n8n do other work while many items have their result from an earlier try', async () => {
		const service = new Service();
		const state = new RunState();
		const items = range(100).map((index) => service.item(index));
		await run(items, continuing, state);
		for (const item of items) item.readCredential = readTextSlowly;
		const running = run(items, continuing, state);
		expect(await countTurns(running)).toBeGreaterThanOrEqual(leastTurns);
		expect(new Set(kindsOf(await running))).toEqual(new Set(['reused']));
	});
});

describe('whatever happens to the items', () => {
	type Fate =
		| { kind: 'responds'; code: number; turns: number }
		| { kind: 'is refused first'; code: number }
		| { kind: 'breaks off'; provablyUnsent: boolean }
		| { kind: 'cannot be prepared' }
		| { kind: 'has no file' }
		| { kind: 'opens slowly'; turns: number };

	const turns = fc.nat({ max: 6 });
	const code = fc.constantFrom(200, 200, 200, 401, 402, 422, 500);
	const fate = fc.oneof<Array<fc.Arbitrary<Fate>>>(
		fc.record({ kind: fc.constant('responds' as const), code, turns }),
		fc.record({ kind: fc.constant('is refused first' as const), code }),
		fc.record({ kind: fc.constant('breaks off' as const), provablyUnsent: fc.boolean() }),
		fc.record({ kind: fc.constant('cannot be prepared' as const) }),
		fc.record({ kind: fc.constant('has no file' as const) }),
		fc.record({ kind: fc.constant('opens slowly' as const), turns }),
	);

	function setupFor(one: Fate): ItemSetup {
		const refused = status(429, { 'retry-after': '0' });
		switch (one.kind) {
			case 'responds':
				return {
					responses: [
						async () => {
							await settleTurns(one.turns);
							return response(one.code);
						},
					],
				};
			case 'is refused first':
				return { responses: [refused, status(one.code)] };
			case 'breaks off':
				return {
					responses: [async () => await Promise.reject(networkFault(one.provablyUnsent))],
				};
			case 'cannot be prepared':
				return { readCredential: failsToRead };
			case 'has no file':
				return { audio: { check: failsToRead, open: failsToRead } };
			case 'opens slowly':
				return {
					audio: {
						async open(signal) {
							await settleTurns(one.turns);
							return await audioOf(100)(signal);
						},
					},
				};
		}
	}

	it('gives each item one outcome in its place, starts no call after the run failed, and pays none twice', async () => {
		const scene = fc.record({
			fates: fc.array(fc.tuple(fate, fc.boolean()), { maxLength: 12 }),
			concurrency: fc.integer({ min: 1, max: 5 }),
			stopsOnFailure: fc.boolean(),
			cancelAfter: fc.option(turns),
			tries: fc.integer({ min: 1, max: 3 }),
		});
		await fc.assert(
			fc.asyncProperty(
				scene,
				async ({ fates, concurrency, stopsOnFailure, cancelAfter, tries }) => {
					const service = new Service();
					const state = new RunState();
					const succeeded = new Set<number>();
					const items = service.items(
						...fates.map(([one, isOther]) => ({
							...setupFor(one),
							key: isOther ? otherKey : apiKey,
						})),
					);
					for (let count = 0; count < tries; count++) {
						const cancel = new AbortController();
						const sentBefore = service.requests.length;
						const cancelSignal = cancel.signal;
						const running = run(items, { concurrency, stopsOnFailure, cancelSignal }, state);
						if (cancelAfter !== null) {
							await settleTurns(cancelAfter);
							cancel.abort();
						}
						const outcome = await running;
						expect(service.inProgress).toBe(0);
						for (const index of service.requests.slice(sentBefore)) {
							expect(succeeded.has(index)).toBe(false);
						}
						for (const index of range(items.length)) {
							if (state.getLastCall(index) !== undefined) succeeded.add(index);
						}
						if (outcome.kind === 'failed') {
							expect(stopsOnFailure).toBe(true);
							expect((await outcome.failure.error).message).not.toBe('');
							continue;
						}
						expect(outcome.outcomes).toHaveLength(items.length);
						for (const [position, one] of [...outcome.outcomes].entries()) {
							if (one.kind === 'succeeded') expect(succeeded.has(position)).toBe(true);
							else expect(one.failure.index).toBe(position);
							expect(stopsOnFailure && one.kind === 'failed').toBe(false);
						}
					}
					expect(service.mostInProgress).toBeLessThanOrEqual(concurrency);
					for (const index of range(items.length)) {
						const wasSent = service.requests.includes(index);
						if (!wasSent) expect(state.getPayment(index)).toBe('notSent');
					}
				},
			),
			{ numRuns: 150 },
		);
	});
});
