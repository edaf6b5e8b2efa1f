import { waitUntil } from '../../dev/lib/waitUntil.mts';
import {
	CallLog,
	continueChoices,
	createNumberedItems,
	neverRespond,
	onErrorSettings,
	sortNumbers,
	type ItemResponder,
	type OnErrorChoice,
} from '../support/calls.mts';
import type { RunOutput } from '../support/engine.mts';
import { callWav, useNode, type RunSetup } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
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

it('quotes the refusal of a wallet in the items that were not sent because of it', async () => {
	const output = await node.runItems(4, {
		respond: (item) => (item === 2 ? respondWithJson({ message: 'No.' }, 402) : 200),
		concurrency: 1,
		onError: 'Continue',
	});
	expect(output.calls).toEqual([0, 1, 2]);
	const [, , refused, unsent] = listErrors(output);
	const message = /^.*\(402\): No\./.exec(refused ?? '')?.[0] ?? 'no message';
	expect(refused).toMatch(new RegExp(`\\(402\\): No\\. .* ${refusalDebit}$`));
	expect(unsent).toBe(
		`This item was not sent, because item 2 (the first is item 0) was refused: ${message} Solve this first, then run the remaining items again. ${unsentSentence}`,
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

	it('that does not open fails its item, although the other call waits to be sent again', async () => {
		const output = await runWithAudioUrls(
			async (...call) => {
				await waitUntil(() => node.service.requestCount === 1 && node.service.inProgress === 0);
				// No event shows that the node has read the response.
				await settleAll();
				await respondWithJson({}, 404)(...call);
			},
			() => respondWithJson({}, 429, { 'Retry-After': '60' }),
			'Continue',
			async (cancelRun) => {
				await waitUntil(() => source.requestCount === 4 && source.inProgress === 0);
				await settleAll();
				cancelRun();
			},
		);
		expect(output.calls).toEqual([0]);
		const [, ...others] = listErrors(output);
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
	"names the files of a refused item and of an unsent one with On Error '%s'",
	async (onError) => {
		node.service.respond = respondInTurn(respondWithJson({}), respondWithJson({}, 402));
		const items = await Promise.all(
			['one.wav', 'two.wav', 'three.wav'].map(
				async (fileName) =>
					await node.engine.createItemWithFiles({}, { data: { ...callWav, fileName } }),
			),
		);
		const parameters = { ...speechToTextParameters, options: { concurrency: 1 } };
		const output = await node.run(parameters, { items, node: onErrorSettings[onError] });
		if (onError === 'Stop Workflow') {
			expect(readErrorText(output)).toContain("This item has the file 'two.wav'.");
			return;
		}
		const [, refused, unsent] = listErrors(output);
		expect(refused).toContain("This item has the file 'two.wav'.");
		expect(unsent).toMatch(
			/^This item \('three\.wav'\) was not sent, because item 1 \(the first is item 0\) was refused: Not enough/,
		);
		expect(unsent).not.toContain('This item has the file');
	},
);

describe.each(continueChoices)("hints below the output with On Error '%s'", (onError) => {
	const branch = onError === 'Continue (using error output)' ? " of 'Error Branch'" : '';
	const readHints = ({ run }: RunOutput) =>
		run.data.resultData.runData['Voice and Speech']?.[0]?.hints;

	it('count the recordings that may still have been being copied', async () => {
		const files = { data: { ...callWav, bytes: createWav(1).subarray(0, 20_000) } };
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
			{
				message: `Items that failed: 3 of 3. The tab 'Table'${branch} has the message of each`,
				type: 'warning',
				location: 'outputPane',
			},
			{
				message:
					'Items that were not sent, or not sent again, because the key or the wallet of another item was refused: 2',
				type: 'warning',
				location: 'outputPane',
			},
		]);
	});

	it.each([
		{
			environment: 'live',
			status: 500,
			paid: 'Calls that the live wallet paid for: 2. Calls that it may have paid for: 1',
		},
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
