import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	continueChoices,
	createNumberedItems,
	listPairedItems,
	createRange,
	enableRetryOnFail,
	onErrorSettings,
	respondWhenInProgress,
	sortNumbers,
} from '../support/calls.mts';
import type { BinaryMode } from '../support/engine.mts';
import { callWav, useNode } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedParameters,
} from '../support/nodeParameters.mts';
import {
	respondInTurn,
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { createDeferred, settleAll } from '../support/waiting.mts';

const node = useNode();

/** Defines a field whose value n8n reads each time an expression uses it. */
function define(item: INodeExecutionData | undefined, name: string, get: () => unknown): void {
	Object.defineProperty(item?.json, name, { enumerable: true, get });
}

// test/credits/invariants.test.mts tests that no item is paid twice, in any order of events.

it.each([
	{ maxTries: 2, status: 500 },
	{ maxTries: 3, status: 402 },
])(
	'starts try $maxTries without the failures of the tries before, which ended with a $status',
	async ({ maxTries, status }) => {
		const { items, error, calls } = await node.runItems(5, {
			respond: (item, earlier) => (item === 2 && earlier < maxTries - 1 ? status : 200),
			concurrency: 1,
			maxTries,
		});
		expect(error).toBeUndefined();
		expect(calls).toEqual([0, 1, ...new Array<number>(maxTries).fill(2), 3, 4]);
		expect(items.map((item) => item.json.item)).toEqual(createRange(5));
		expect(listPairedItems(items)).toEqual(createRange(5));
	},
);

it.each(continueChoices)(
	"n8n tries again if the first item failed with On Error '%s'",
	async (onError) => {
		const respond = (item: number) => (item === 0 ? 500 : 200);
		const { all, calls, paid } = await node.runItems(4, { respond, onError, maxTries: 3 });
		expect(calls.filter((item) => item === 0)).toHaveLength(3);
		expect(sortNumbers(paid)).toEqual([1, 2, 3]);
		expect(sortNumbers(listPairedItems(all))).toEqual(createRange(4));
	},
);

it('reads a credential again in a later try that could not be read', async () => {
	let reads = 0;
	const { error, items, calls } = await node.runItems(2, {
		// n8n reads the credential once for each item. This fails for the second item of the first try.
		credential: () => {
			reads++;
			if (reads === 2) throw new Error('The database is away');
			return {};
		},
		maxTries: 2,
	});
	expect(error).toBeUndefined();
	expect(listPairedItems(items)).toEqual([0, 1]);
	expect(sortNumbers(calls)).toEqual([0, 1]);
});

it('checks all items again in a later try, and sends nothing if an expression throws', async () => {
	const sent: number[] = [];
	const items = createNumberedItems(3);
	// The expression is valid in the first try, and names an unknown node in the second.
	define(items[2], 'from', () => (sent.length > 0 ? 'Nowhere' : 'Start'));
	const { calls, error } = await node.runItems(items, {
		respond: (item) => {
			sent.push(item);
			return item === 0 ? 500 : 200;
		},
		parameters: { language: '={{ $itemIndex === 2 ? $($json.from).first().json.x : "" }}' },
		concurrency: 1,
		maxTries: 2,
	});
	expect(calls).toEqual([0]);
	expect(error?.message).toContain("doesn't exist");
});

describe.each([2, 4])('with Concurrency %i', (concurrency) => {
	it('starts the next try when calls in progress are complete, and does not send them again', async () => {
		const failure = createDeferred();
		const fail: Responder = (request, response, index) => {
			response.on('finish', () => failure.resolve());
			respondWithJson({}, 500)(request, response, index);
		};
		const respondAfterFailure: Responder = async (...call) => {
			await failure.promise;
			// No event shows that the node has read the failure.
			await settleAll();
			respondWithJson({})(...call);
		};
		const { items, calls } = await node.runItems(4, {
			respond: (item, earlier) =>
				item === 0 && earlier === 0
					? respondWhenInProgress(node.service, concurrency, fail)
					: respondAfterFailure,
			concurrency,
			maxTries: 2,
		});
		expect(listPairedItems(items)).toEqual(createRange(4));
		expect(sortNumbers(calls)).toEqual([0, 0, 1, 2, 3]);
		expect(node.service.maxInProgress).toBeLessThanOrEqual(concurrency);
	});
});

/** n8n also repeats a node if the first output item has a `json.error` (n8n-core, workflow-execute, `checkFailure`). */
it.each([
	{ value: '', onError: 'Stop Workflow' },
	{ value: null, onError: 'Continue' },
	{ value: { code: 7 }, onError: 'Continue' },
] as const)(
	"a success with the error $value in its response is paid once with On Error '$onError', although a parameter changes",
	async ({ value, onError }) => {
		const { calls, error, items } = await node.runItems(3, {
			respond: (item) => respondWithJson({ item, error: value }),
			parameters: { language: '={{ String(Math.random()) }}' },
			onError,
			maxTries: 3,
		});
		expect(sortNumbers(calls)).toEqual([0, 1, 2]);
		expect(error).toBeUndefined();
		expect(items.map((item) => item.json)).toEqual(
			createRange(3).map((item) => ({ item, error: value })),
		);
	},
);

it('sends a success with an error again if its request changed and another item failed', async () => {
	const { calls } = await node.runItems(2, {
		respond: (item) => (item === 1 ? 500 : respondWithJson({ error: 'none' })),
		parameters: { language: '={{ String(Math.random()) }}' },
		onError: 'Continue',
		maxTries: 2,
	});
	expect(sortNumbers(calls)).toEqual([0, 0, 1, 1]);
});

const events = 'data: {"text":"hello"}\n\n';

describe.each<{ what: string; respond: Responder; parameters: INodeParameters; sent: number }>([
	{
		what: 'an event stream in place of JSON',
		respond: respondWithBytes(events, 'text/event-stream'),
		parameters: speechToTextParameters,
		sent: 1,
	},
	{
		what: 'JSON in place of audio',
		respond: respondWithJson({ audio: 'UklGRg==' }),
		parameters: textToSpeechParameters,
		sent: 1,
	},
	{
		what: 'a compressed response',
		respond: respondWithJson({}, 200, { 'Content-Encoding': 'dcb' }),
		parameters: undocumentedParameters,
		sent: 1,
	},
	{
		what: 'a web page, which something in between has sent',
		respond: respondWithBytes('<html>Sign in</html>', 'text/html'),
		parameters: speechToTextParameters,
		sent: 3,
	},
])('$what', ({ respond, parameters, sent }) => {
	it.each(Object.entries(onErrorSettings))(
		`is paid ${sent === 1 ? 'once' : 'again'} with On Error '%s'`,
		async (_onError, settings) => {
			node.service.respond = respond;
			const output = await node.run(parameters, {
				node: { ...settings, ...enableRetryOnFail(3) },
			});
			expect(node.service.requestCount).toBe(sent);
			const [item] = [...output.items, ...output.errorItems];
			expect(item?.json.error ?? output.error).toMatchObject({
				message: expect.stringMatching(/^The (service returned|response is compressed) /),
			});
		},
	);
});

it('keeps a text that was paid for if the next try cannot prepare its request', async () => {
	let wasSent = false;
	node.service.respond = (...call) => {
		wasSent = true;
		respondWithBytes(events, 'text/event-stream')(...call);
	};
	const item = await node.engine.createItemWithFiles({}, { data: callWav });
	define(item, 'from', () => (wasSent ? 'Nowhere' : 'Start'));
	const { items } = await node.run(
		{ ...speechToTextParameters, language: '={{ $($json.from).first().json.x }}' },
		{ items: [item], node: { ...onErrorSettings.Continue, ...enableRetryOnFail(2) } },
	);
	expect(node.service.requestCount).toBe(1);
	expect(items[0]?.json.error).toMatchObject({ debit: 'debited', responseText: events });
});

it("names the 'Console URL' for a call of an earlier try, if its item is not sent again", async () => {
	let wasSent = false;
	const items = createNumberedItems(1);
	// The text is valid in the first try, and empty in the second.
	define(items[0], 'text', () => (wasSent ? '' : '0'));
	const { calls, error } = await node.runItems(items, {
		respond: () => {
			wasSent = true;
			return 500;
		},
		parameters: { text: '={{ $json.text }}' },
		credential: { consoleUrl: 'https://console.example.com' },
		maxTries: 2,
	});
	expect(calls).toEqual([0]);
	expect(error).toMatchObject({
		message: "'Text' is empty",
		description: expect.stringContaining(
			"check the usage dashboard in the service's console (https://console.example.com) before",
		),
	});
});

const short = callWav;
const long = { ...callWav, bytes: Buffer.concat([callWav.bytes, Buffer.alloc(10)]) };

describe.each<{ where: string; binaryMode: BinaryMode; parameters: INodeParameters }>([
	{
		where: "in n8n's file storage",
		binaryMode: 'filesystem',
		parameters: { binaryPropertyName: '={{ $json.now.name }}' },
	},
	{
		where: 'in memory',
		binaryMode: 'default',
		parameters: { binaryPropertyName: '={{ $json.now.name }}' },
	},
	{
		where: 'at a URL',
		binaryMode: 'filesystem',
		parameters: { audioSource: 'url', audioUrl: '={{ $json.now.address }}' },
	},
])('a later try of an item with audio $where', ({ binaryMode, parameters }) => {
	const own = useNode(binaryMode);
	const source = ScriptedServer.use((...call) => {
		const file = call[0].url === '/long' ? long : short;
		respondWithBytes(file.bytes, 'audio/wav')(...call);
	});

	const length = short.bytes.length;

	/** Item 0 succeeds and item 1 fails, so that n8n tries both again. */
	it.each([
		{
			what: 'sends the item again if its file has changed',
			nextFile: 'long',
			sent: [length, length, length + 10, length],
		},
		{
			what: 'does not send the item again if its file is the same',
			nextFile: 'short',
			sent: [length, length, length],
		},
	])('$what', async ({ nextFile, sent }) => {
		const createNow = (index: number) => ({
			get name() {
				return index === 0 && own.service.requests.length > 1 ? nextFile : 'short';
			},
			get address() {
				return `${source.baseUrl}/${this.name}`;
			},
		});
		const items = [
			await own.engine.createItemWithFiles({ now: createNow(0) }, { short, long }),
			await own.engine.createItemWithFiles({ now: createNow(1) }, { short }),
		];
		const succeed = respondWithJson({});
		own.service.respond = respondInTurn(succeed, respondWithJson({}, 500), succeed);
		const options = { concurrency: 1 };
		await own.run(
			{ ...speechToTextParameters, ...parameters, options },
			{ items, node: enableRetryOnFail(2) },
		);
		expect(own.service.requests.map(({ parts }) => parts[0]?.body.length)).toEqual(sent);
	});
});

it('counts the results that an earlier try had already paid for in a hint', async () => {
	const { run, calls } = await node.runItems(3, {
		respond: (item, earlier) => (item === 2 && earlier === 0 ? 500 : 200),
		concurrency: 1,
		maxTries: 2,
	});
	expect(calls).toEqual([0, 1, 2, 2]);
	const [task] = run.data.resultData.runData['Voice and Speech'] ?? [];
	const messages = task?.hints?.map(({ message }) => message);
	expect(messages).toEqual([
		'Items that had succeeded in an earlier try and were not sent again: 2',
	]);
});

it('counts the calls of all tries that the live wallet paid for in a hint', async () => {
	const { run, calls } = await node.runItems(3, {
		respond: (item, earlier) => (item === 2 && earlier === 0 ? 500 : 200),
		concurrency: 1,
		maxTries: 2,
		credential: { apiKey: 'eak_live_wire', environment: 'live' },
	});
	expect(calls).toEqual([0, 1, 2, 2]);
	const [task] = run.data.resultData.runData['Voice and Speech'] ?? [];
	expect(task?.hints?.map(({ message }) => message)).toContain(
		'Calls that the live wallet paid for: 3. Calls that it may have paid for: 1',
	);
});
