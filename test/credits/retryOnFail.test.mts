import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	createNumberedItems,
	createRange,
	enableRetryOnFail,
	onErrorSettings,
	sortNumbers,
} from '../support/calls.mts';
import type { BinaryMode } from '../support/engine.mts';
import { callWav, useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import {
	respondInTurn,
	respondWithBytes,
	respondWithJson,
	type Responder,
	ScriptedServer,
} from '../support/servers/scriptedServer.mts';

const node = useNode();

/** Defines a field whose value n8n reads each time an expression uses it. */
function define(item: INodeExecutionData | undefined, name: string, get: () => unknown): void {
	Object.defineProperty(item?.json, name, { enumerable: true, get });
}

// test/credits/invariants.test.mts tests that no item is paid twice, in any order of events.

/** n8n also repeats a node if the first output item has a `json.error` (n8n-core, workflow-execute, `checkFailure`). */
it('pays once for a success with an error in its response, although a parameter changes', async () => {
	const { calls, error, items } = await node.runItems(3, {
		respond: (item) => respondWithJson({ item, error: { code: 7 } }),
		parameters: { language: '={{ String(Math.random()) }}' },
		onError: 'Continue',
		maxTries: 3,
	});
	expect(sortNumbers(calls)).toEqual([0, 1, 2]);
	expect(error).toBeUndefined();
	expect(items.map((item) => item.json)).toEqual(
		createRange(3).map((item) => ({ item, error: { code: 7 } })),
	);
});

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

const respondWithWrongGzip: Responder = (_request, response) => {
	response.setHeader('Content-Encoding', 'gzip');
	response.end('{"text":"hello"}');
};

describe.each([
	['an event stream in place of JSON', respondWithBytes(events, 'text/event-stream'), 1],
	['JSON that is declared as gzip', respondWithWrongGzip, 1],
	[
		'a web page, which something in between has sent',
		respondWithBytes('<html>Sign in</html>', 'text/html'),
		3,
	],
])('%s', (_, respond, sent) => {
	it.each(Object.entries(onErrorSettings))(
		`is paid ${sent === 1 ? 'once' : 'again'} with On Error '%s'`,
		async (_onError, settings) => {
			node.service.respond = respond;
			const output = await node.run(speechToTextParameters, {
				node: { ...settings, ...enableRetryOnFail(3) },
			});
			expect(node.service.requestCount).toBe(sent);
			const [item] = [...output.items, ...output.errorItems];
			const error = item?.json.error ?? { ...output.error, debit: output.error?.context.debit };
			expect(error).toMatchObject({
				message: expect.stringMatching(/^The service returned |cannot be decompressed/) as string,
				debit: sent === 1 ? 'debited' : 'possible',
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

describe.each<[where: string, binaryMode: BinaryMode, parameters: INodeParameters]>([
	['in memory', 'default', { binaryPropertyName: '={{ $json.now.name }}' }],
	['at a URL', 'filesystem', { audioSource: 'url', audioUrl: '={{ $json.now.address }}' }],
])('a later try of an item with audio %s', (_, binaryMode, parameters) => {
	const own = useNode(binaryMode);
	const source = ScriptedServer.use((...call) => {
		const file = call[0].url === '/long' ? long : short;
		respondWithBytes(file.bytes, 'audio/wav')(...call);
	});

	const length = short.bytes.length;

	/** Item 0 succeeds and item 1 fails, so that n8n tries both again. */
	it.each([
		['sends the item again if its file has changed', 'long', [length, length, length + 10, length]],
		['does not send the item again if its file is the same', 'short', [length, length, length]],
	])('%s', async (_, nextFile, sent) => {
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

it('counts results of an earlier try, and the calls of all tries with a live key, in hints', async () => {
	const { run, calls } = await node.runItems(3, {
		respond: (item, earlier) => (item === 2 && earlier === 0 ? 500 : 200),
		concurrency: 1,
		maxTries: 2,
		credential: { apiKey: 'eak_live_wire', environment: 'live' },
	});
	expect(calls).toEqual([0, 1, 2, 2]);
	const [task] = run.data.resultData.runData['Voice and Speech'] ?? [];
	expect(task?.hints?.map(({ message }) => message)).toEqual([
		'Items that had succeeded in an earlier try and were not sent again: 2',
		'Calls that the live wallet paid for: 3. Calls that it may have paid for: 1',
	]);
});
