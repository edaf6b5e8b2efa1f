import { waitUntil } from '../../dev/lib/waitUntil.mts';
import {
	CallLog,
	continueChoices,
	createNumberedItems,
	neverRespond,
	onErrorSettings,
	listPairedItems,
	createRange,
	sortNumbers,
	type ItemResponder,
	type OnErrorChoice,
} from '../support/calls.mts';
import type { RunOutput } from '../support/engine.mts';
import { callWav, useNode, type RunSetup } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { readAudioFile } from '../support/media/audioFiles.mts';
import { createWav } from '../support/media/recordings.mts';
import {
	expectNothingDebited,
	listErrors,
	readErrorText,
	unsent as unsentSentence,
} from '../support/outcome.mts';
import {
	respondInTurn,
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { createDeferred, settleAll } from '../support/waiting.mts';

const node = useNode();

// test/credits/invariants.test.mts tests which calls may start after a failure, in any order of events.

const refusalDebit = 'The call was refused. Whether refused calls cost credits is not documented.';

/** The text of an item that was not sent quotes the message of the refusal. */
const createTextOfUnsent = (message: string) =>
	`This item was not sent, because item 2 (the first is item 0) was refused: ${message} Solve this first, then run the remaining items again. ${unsentSentence}`;

describe.each([1, 5])('with Concurrency %i', (concurrency) => {
	/**
	 * Items 0 and 1 succeed. Item 2 fails once all calls that may be in progress have arrived, and the others respond only
	 * when the node has taken its failure.
	 */
	async function failThird(status: number, onError: OnErrorChoice) {
		const failure = createDeferred();
		const respondToFailure: Responder = async (...call) => {
			await waitUntil(() => node.service.requestCount === 2 + concurrency);
			respondWithJson({ message: 'No.' }, status)(...call);
			// The service and the node share one event loop.
			await settleAll();
			failure.resolve();
		};
		const respondAfterFailure =
			(item: number): Responder =>
			async (...call) => {
				await failure.promise;
				respondWithJson({ item })(...call);
			};
		const respond = (item: number) => {
			if (item < 2) return respondWithJson({ item });
			return item === 2 ? respondToFailure : respondAfterFailure(item);
		};
		const output = await node.runItems(30, { respond, concurrency, onError });
		expect(output.calls).toHaveLength(2 + concurrency);
		return output;
	}

	it('ends the run after a failure if On Error is Stop Workflow', async () => {
		const { items, error } = await failThird(400, 'Stop Workflow');
		expect(items).toEqual([]);
		expect(error?.message).toContain('No.');
		expect(error).toMatchObject({ context: { itemIndex: 2 } });
	});

	it.each(continueChoices)(
		"sends no later item with the key that a 402 refused, and outputs paid results, with On Error '%s'",
		async (onError) => {
			const output = await failThird(402, onError);
			const paid = createRange(2 + concurrency).filter((item) => item !== 2);
			const unsent = createRange(30).slice(2 + concurrency);
			const errors = listErrors(output);
			expect(sortNumbers(output.calls)).toEqual(sortNumbers([...paid, 2]));
			expect(sortNumbers(listPairedItems(output.all))).toEqual(createRange(30));
			const results = output.all.filter(({ json }) => json.error === undefined);
			expect(results.map(({ json }) => json)).toEqual(paid.map((item) => ({ item })));
			const message = /^.*\(402\): No\./.exec(errors[2] ?? '')?.[0] ?? 'no message';
			const textOfUnsent = createTextOfUnsent(message);
			expect(errors[2]).toMatch(new RegExp(`\\(402\\): No\\. .* ${refusalDebit}$`));
			expect(unsent.map((item) => errors[item])).toEqual(unsent.map(() => textOfUnsent));
		},
	);
});

describe('while another item fails, audio', () => {
	const source = ScriptedServer.use();
	const audio = createWav(1);

	/**
	 * Runs items with audio from URLs. The audio of the first comes at once, and that of the others as `respondToOthers`
	 * says. Each item's number is its language.
	 */
	async function runWithAudioUrls(
		respondToOthers: Responder,
		respond: ItemResponder,
		onError: OnErrorChoice,
		onStart: RunSetup['onStart'] = () => {},
	) {
		source.respond = (...call) => {
			const isFirst = call[0].url.endsWith('/0');
			return (isFirst ? respondWithBytes(audio, 'audio/wav') : respondToOthers)(...call);
		};
		const { calls } = CallLog.attach(node.service, respond, ({ parts }) =>
			Number(parts.find(({ name }) => name === 'language')?.body),
		);
		const audioUrl = `=${source.baseUrl}/{{ $json.number }}`;
		const language = '={{ $json.number }}';
		const output = await node.run(
			{ ...speechToTextParameters, audioSource: 'url', audioUrl, language },
			{ items: createNumberedItems(4), node: onErrorSettings[onError], onStart },
		);
		return { ...output, calls };
	}

	it.each([
		{ onError: 'Stop Workflow', status: 400 },
		{ onError: 'Continue', status: 401 },
	] as const)(
		'is not waited for if it does not open, and On Error is $onError, after a status $status',
		async ({ onError, status }) => {
			const output = await runWithAudioUrls(neverRespond, () => status, onError);
			expect(output.calls).toEqual([0]);
			await waitUntil(() => source.inProgress === 0);
			if (onError === 'Stop Workflow') {
				expect(output.items).toEqual([]);
				expect(output.error).toMatchObject({ context: { itemIndex: 0 } });
				return;
			}
			const [, ...others] = listErrors(output);
			expect(others).toHaveLength(3);
			others.forEach(expectNothingDebited);
		},
	);

	/** Asks the first item to wait, responds to the requests for the other audio, and cancels the run. */
	async function runWithBackOff(respondToOthers: Responder) {
		const output = await runWithAudioUrls(
			async (...call) => {
				await waitUntil(() => node.service.requestCount === 1 && node.service.inProgress === 0);
				// No event shows that the node has read the response.
				await settleAll();
				await respondToOthers(...call);
			},
			() => respondWithJson({}, 429, { 'Retry-After': '60' }),
			'Continue',
			async (cancelRun) => {
				await waitUntil(() => source.requestCount === 4 && source.inProgress === 0);
				await settleAll();
				cancelRun();
			},
		);
		expect(output.status).toBe('canceled');
		expect(output.calls).toEqual([0]);
		return output;
	}

	it('that opens is not sent during the back-off of the other call', async () => {
		await runWithBackOff(respondWithBytes(audio, 'audio/wav'));
	});

	it('that does not open fails its item, although the other call waits to be sent again', async () => {
		const [, ...others] = listErrors(await runWithBackOff(respondWithJson({}, 404)));
		expect(others).toHaveLength(3);
		for (const text of others) expect(text).toContain('its server responded with status 404');
	});

	it.each(['Stop Workflow', 'Continue'] as const)(
		'whose upload has begun is sent to its end with On Error %s',
		async (onError) => {
			const isRefused = createDeferred();
			const { calls, paid } = CallLog.attach(
				node.service,
				(item) => (item === 0 ? 401 : 200),
				({ parts }) => Number(parts.find(({ name }) => name === 'language')?.body),
			);
			const respond = node.service.respond;
			node.service.respond = async (...call) => {
				call[1].on('finish', () => isRefused.resolve());
				// The refusal comes once the other upload has begun.
				await waitUntil(() => node.service.requestCount === 2);
				await respond(...call);
			};
			source.respond = async (request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': audio.length });
				response.write(audio.subarray(0, 20_000));
				if (request.url === '/1') {
					await isRefused.promise;
					await settleAll();
				}
				response.end(audio.subarray(20_000));
			};
			await node.run(
				{
					...speechToTextParameters,
					audioSource: 'url',
					audioUrl: `=${source.baseUrl}/{{ $json.number }}`,
					language: '={{ $json.number }}',
				},
				{ items: createNumberedItems(2), node: onErrorSettings[onError] },
			);
			expect(calls).toEqual([0, 1]);
			expect(paid).toEqual([1]);
		},
	);
});

it('sends a refused call again as often as Rate Limit Retries allows', async () => {
	const { calls, error } = await node.runItems(2, {
		respond: () => respondWithJson({}, 429, { 'Retry-After': '0' }),
		options: { rateLimitRetries: 2 },
		concurrency: 1,
	});
	expect(calls).toEqual([0, 0, 0]);
	expect(error?.message).toContain('(429)');
});

it('starts no later batch after a failure, and leaves no rejection unhandled', async () => {
	const { calls, error, items } = await node.runItems(6, {
		respond: (item) => (item === 1 ? 400 : 200),
		// If the later batches were not canceled, this test would not end in time.
		batches: { size: 2, intervalMs: 600_000 },
	});
	expect(sortNumbers(calls)).toEqual([0, 1]);
	expect(items).toEqual([]);
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
});

it('says in the error of a node that stops how many other items were debited', async () => {
	const { error } = await node.runItems(3, {
		respond: (item) => (item === 2 ? 400 : 200),
		concurrency: 1,
	});
	expect(error?.description).toContain(
		'2 other items of this run were debited, and a new execution pays for them again.',
	);
	expect(error?.description).toContain("set 'On Error' to 'Continue (using error output)'");
});

it.each(Object.keys(onErrorSettings) as OnErrorChoice[])(
	"names the file of a refused item in its error with On Error '%s'",
	async (onError) => {
		node.service.respond = respondInTurn(respondWithJson({}), respondWithJson({}, 402));
		const files = ['one.wav', 'two.wav'].map((fileName) => ({ data: { ...callWav, fileName } }));
		const items = await Promise.all(
			files.map(async (file) => await node.engine.createItemWithFiles({}, file)),
		);
		const parameters = { ...speechToTextParameters, options: { concurrency: 1 } };
		const output = await node.run(parameters, { items, node: onErrorSettings[onError] });
		const text = onError === 'Stop Workflow' ? readErrorText(output) : listErrors(output)[1];
		expect(text).toContain("This item has the file 'two.wav'.");
	},
);

it.each(continueChoices)(
	"names the file of an unsent item in its message with On Error '%s'",
	async (onError) => {
		node.service.respond = respondWithJson({}, 402);
		const files = ['one.wav', 'two.wav'].map((fileName) => ({ data: { ...callWav, fileName } }));
		const items = await Promise.all(
			files.map(async (file) => await node.engine.createItemWithFiles({}, file)),
		);
		const parameters = { ...speechToTextParameters, options: { concurrency: 1 } };
		const output = await node.run(parameters, { items, node: onErrorSettings[onError] });
		expect(listErrors(output)[1]).toMatch(
			/^This item \('two\.wav'\) was not sent, because item 0 \(the first\) was refused: Not enough/,
		);
		expect(listErrors(output)[1]).not.toContain('This item has the file');
	},
);

it('says in the error of a node that stops at its check that no other item was sent', async () => {
	const { error, calls } = await node.runItems(3, {
		respond: () => 200,
		parameters: { text: "={{ $itemIndex === 1 ? '' : 'a text' }}" },
	});
	expect(calls).toEqual([]);
	expect(error?.description).toContain(
		'This item was not sent, so it was not debited. No other item of this run was sent.',
	);
});

describe.each(continueChoices)("hints below the output with On Error '%s'", (onError) => {
	const branch = onError === 'Continue (using error output)' ? " of 'Error Branch'" : '';
	const createFailedHint = (count: number) => ({
		message: `Items that failed: ${count} of 3. The tab 'Table'${branch} has the message of each`,
		type: 'warning',
		location: 'outputPane',
	});
	const readHints = ({ run }: RunOutput) =>
		run.data.resultData.runData['Voice and Speech']?.[0]?.hints;

	it('count the items that failed', async () => {
		const output = await node.runItems(3, {
			respond: (item) => (item === 1 ? 400 : 200),
			onError,
		});
		expect(readHints(output)).toEqual([createFailedHint(1)]);
	});

	it.each([
		{ what: 'WAV', bytes: createWav(1).subarray(0, 20_000), fileName: 'a.wav' },
		{ what: 'M4A', bytes: readAudioFile('faststart.m4a').subarray(0, -1000), fileName: 'a.m4a' },
	])('count the recordings that may still have been being copied: $what', async (file) => {
		const files = { data: { ...file, mimeType: 'application/octet-stream' } };
		const output = await node.run(speechToTextParameters, {
			files,
			node: onErrorSettings[onError],
		});
		expect(node.service.requestCount).toBe(1);
		const message =
			'Recordings that end before the length in their header: 1 of 1. Check whether they were still being copied';
		expect(readHints(output)).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
	});

	it('count the items that were not sent because the wallet of another was refused', async () => {
		const output = await node.runItems(3, {
			respond: () => 402,
			concurrency: 1,
			onError,
		});
		expect(readHints(output)).toEqual([
			createFailedHint(3),
			{
				message:
					'Items that were not sent, or not sent again, because the key or the wallet of another item was refused: 2',
				type: 'warning',
				location: 'outputPane',
			},
		]);
	});

	it.each([
		{ environment: 'live', status: 200, paid: 'Calls that the live wallet paid for: 3' },
		{
			environment: 'live',
			status: 500,
			paid: 'Calls that the live wallet paid for: 2. Calls that it may have paid for: 1',
		},
		{ environment: 'live', status: 402, paid: 'Calls that the live wallet paid for: 2' },
		{ environment: 'sandbox', status: 200, paid: undefined },
	])(
		'count the calls with a $environment key if one responds $status',
		async ({ environment, status, paid }) => {
			const apiKey = environment === 'live' ? 'eak_live_wire' : 'eak_test_wire';
			const output = await node.runItems(3, {
				respond: (item) => (item === 2 ? status : 200),
				concurrency: 1,
				onError,
				credential: { apiKey, environment },
			});
			const messages = readHints(output)?.map(({ message }) => message) ?? [];
			expect(messages.find((message) => message.includes('wallet paid'))).toBe(paid);
		},
	);

	it('are not shown for items that were not sent because the execution was canceled', async () => {
		const output = await node.runItems(3, {
			respond: () => neverRespond,
			concurrency: 1,
			onError,
			async onStart(cancelRun) {
				await waitUntil(() => node.service.requestCount === 1);
				cancelRun();
			},
		});
		expect(output.status).toBe('canceled');
		expect(readHints(output)).toEqual([]);
	});
});
