import type { INodeExecutionData } from 'n8n-workflow';

import { createNumberedItems, enableRetryOnFail, onErrorSettings } from '../support/calls.mts';
import { callWav, useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import {
	respondWithBytes,
	respondWithJson,
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
	const { calls, items } = await node.runItems(3, {
		respond: (item) => respondWithJson({ item, error: { code: 7 } }),
		parameters: { language: '={{ String(Math.random()) }}' },
		concurrency: 1,
		onError: 'Continue',
		maxTries: 3,
	});
	expect(calls).toEqual([0, 1, 2]);
	expect(items.map(({ json }) => json)).toEqual(
		[0, 1, 2].map((item) => ({ item, error: { code: 7 } })),
	);
});

const events = 'data: {"text":"hello"}\n\n';

it.each([
	['once for an event stream in place of JSON', respondWithBytes(events, 'text/event-stream'), 1],
	[
		'once for JSON that is declared as gzip',
		respondWithJson({ text: 'hello' }, 200, { 'Content-Encoding': 'gzip' }),
		1,
	],
	[
		'in each try for a web page, which something in between has sent',
		respondWithBytes('<html>Sign in</html>', 'text/html'),
		3,
	],
] as const)('sends the item %s', async (_, respond, sent) => {
	node.service.respond = respond;
	const { items } = await node.run(speechToTextParameters, {
		node: { ...onErrorSettings.Continue, ...enableRetryOnFail(3) },
	});
	expect(node.service.requestCount).toBe(sent);
	expect(items[0]?.json.error).toMatchObject({
		message: expect.stringMatching(/^The service returned |cannot be decompressed/) as string,
		debit: sent === 1 ? 'debited' : 'possible',
	});
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

const source = ScriptedServer.use(respondWithBytes(callWav.bytes, 'audio/wav'));

// test/n8n/fileSources.test.mts and test/call/fingerprint.test.mts test other changes.
it.each<[what: string, parameters: object]>([
	['URL', { audioSource: 'url', audioUrl: '={{ $json.server }}/{{ $json.name }}' }],
	['content in memory', { binaryPropertyName: '={{ $json.name }}' }],
])('sends an item again whose audio has another %s in a later try', async (_, parameters) => {
	const createFile = (samples: number) => ({
		data: Buffer.concat([callWav.bytes, Buffer.alloc(samples)]).toString('base64'),
		mimeType: 'audio/wav',
	});
	const items = createNumberedItems(2).map(({ json }) => ({
		json: { ...json, server: source.baseUrl, name: 'first' },
		binary: { first: createFile(0), second: createFile(10) },
	}));
	define(items[0], 'name', () => (node.service.requestCount < 2 ? 'first' : 'second'));
	const { calls } = await node.runItems(items, {
		// Item 0 succeeds, and item 1 fails, so that n8n tries both again.
		respond: (item, earlier) => (item === 1 && earlier === 0 ? 500 : 200),
		parameters: { ...speechToTextParameters, language: '={{ $json.number }}', ...parameters },
		concurrency: 1,
		maxTries: 2,
	});
	expect(calls).toEqual([0, 1, 0, 1]);
});

it('counts results of an earlier try, and the calls of all tries with a live key, in hints', async () => {
	const { hints, calls } = await node.runItems(3, {
		respond: (item, earlier) => (item === 2 && earlier === 0 ? 500 : 200),
		concurrency: 1,
		maxTries: 2,
		credential: { apiKey: 'eak_live_wire', environment: 'live' },
	});
	expect(calls).toEqual([0, 1, 2, 2]);
	expect(hints.map(({ message }) => message)).toEqual([
		'Items that had succeeded in an earlier try and were not sent again: 2',
		'Calls that the live wallet paid for: 3. Calls that it may have paid for: 1',
	]);
});
