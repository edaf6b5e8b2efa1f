import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep, type INodeExecutionData } from 'n8n-workflow';
import { buffer } from 'node:stream/consumers';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { headBytes } from '../../nodes/VoiceSpeech/limits.ts';
import {
	createNumberedItems,
	enableBatching,
	enableRetryOnFail,
	neverRespond,
	onErrorSettings,
	sortNumbers,
} from '../support/calls.mts';
import { createWav, createMp3 } from '../support/media/recordings.mts';
import { callWav, useNode, createLargeWav, type RunItemsSetup } from '../support/node.mts';
import { speechToTextParameters, textToSpeechParameters } from '../support/nodeParameters.mts';
import { listOpenStoredFiles } from '../support/openFiles.mts';
import {
	expectDebited,
	expectNothingDebited,
	listErrors,
	readErrorText,
	unsent as unsentSentence,
	maybeDebited,
	nothingDebited,
} from '../support/outcome.mts';
import {
	respondInTurn,
	respondInTwoParts,
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { createDeferred, settleAll } from '../support/waiting.mts';

const node = useNode();

// test/credits/invariants.test.mts tests which calls may start after a failure, in any order of events, and that no item is
// paid twice.

it('quotes a refused wallet in the error of an item that is not sent, which names its own file', async () => {
	node.service.respond = respondInTurn(
		respondWithJson({}),
		respondWithJson({ message: 'No.' }, 402),
	);
	const items = await node.createItemsWithFile({}, {}, {});
	for (const [index, name] of ['one', 'two', 'three'].entries()) {
		items[index]!.binary!.data!.fileName = `${name}.wav`;
	}
	const parameters = { ...speechToTextParameters, options: { concurrency: 1 } };
	const output = await node.run(parameters, { items, node: onErrorSettings.Continue });
	const [, refused, unsent] = listErrors(output);
	const message = /^.*\(402\): No\./.exec(refused ?? '')?.[0] ?? 'no message';
	expect(refused).toContain("This item has the file 'two.wav'.");
	expect(unsent).toBe(
		`This item ('three.wav') was not sent, because item 1 (the first is item 0) was refused: ${message} Solve this first, then run the remaining items again. ${unsentSentence}`,
	);
});

describe('while another item fails, audio', () => {
	const source = ScriptedServer.use();
	const audio = createWav(1);

	/** Runs items with audio from URLs. That of the first comes at once, and that of the others as the responder says. */
	async function runWithAudioUrls(
		respondToOthers: Responder,
		{ count = 4, ...setup }: RunItemsSetup & { count?: number },
	) {
		source.respond = (...call) => {
			const isFirst = call[0].url.endsWith('/0');
			return (isFirst ? respondWithBytes(audio, 'audio/wav') : respondToOthers)(...call);
		};
		const audioUrl = `=${source.baseUrl}/{{ $json.number }}`;
		const language = '={{ $json.number }}';
		const parameters = { ...speechToTextParameters, audioSource: 'url', audioUrl, language };
		return await node.runItems(count, { ...setup, parameters });
	}

	it('is not waited for if it does not open, and the run stops, or its key was refused', async () => {
		const stopped = await runWithAudioUrls(neverRespond, { respond: () => 400 });
		const refused = await runWithAudioUrls(neverRespond, {
			respond: () => 401,
			onError: 'Continue',
		});
		await waitUntil(() => source.inProgress === 0);
		expect([...stopped.calls, ...refused.calls]).toEqual([0, 0]);
		expect(stopped.items).toEqual([]);
		expect(stopped.error).toMatchObject({ context: { itemIndex: 0 } });
		const [, ...others] = listErrors(refused);
		expect(others).toHaveLength(3);
		others.forEach(expectNothingDebited);
	});

	it('that does not open fails its item, although the other call waits to be sent again', async () => {
		const respondLate: Responder = async (...call) => {
			await waitUntil(() => node.service.requestCount === 1 && node.service.inProgress === 0);
			// No event shows that the node has read the response.
			await settleAll();
			await respondWithJson({}, 404)(...call);
		};
		const output = await runWithAudioUrls(respondLate, {
			respond:
				() =>
				async (...call) => {
					// Audio that is not requested before the back-off begins is requested after it.
					await waitUntil(() => source.requestCount === 4);
					respondWithJson({}, 429, { 'Retry-After': '60' })(...call);
				},
			onError: 'Continue',
			onStart: async (cancelRun) => {
				await waitUntil(() => source.requestCount === 4 && source.inProgress === 0);
				await settleAll();
				cancelRun();
			},
		});
		expect(output.calls).toEqual([0]);
		const [, ...others] = listErrors(output);
		expect(others).toHaveLength(3);
		for (const text of others) expect(text).toContain('its server responded with status 404');
	});

	it.each(['Stop Workflow', 'Continue'] as const)(
		'whose upload has begun is sent to its end with On Error %s',
		async (onError) => {
			const isRefused = createDeferred();
			const sendOther = respondInTwoParts(audio, 20_000, async () => {
				await isRefused.promise;
				await settleAll();
			});
			const { calls, paid } = await runWithAudioUrls(sendOther, {
				respond:
					(item) =>
					async (...call) => {
						call[1].on('finish', () => isRefused.resolve());
						// The refusal comes once the other upload has begun.
						await waitUntil(() => node.service.requestCount === 2);
						respondWithJson({}, item === 0 ? 401 : 200)(...call);
					},
				onError,
				count: 2,
			});
			expect(calls).toEqual([0, 1]);
			expect(paid).toEqual([1]);
		},
	);
});

it('starts no later batch after a failure', async () => {
	const { calls, error, items } = await node.runItems(6, {
		respond: (item) => (item === 1 ? 400 : 200),
		// If the later batches were not canceled, this test would not end in time.
		parameters: enableBatching(2, 600_000),
	});
	expect(sortNumbers(calls)).toEqual([0, 1]);
	expect(items).toEqual([]);
	expect(error).toMatchObject({ context: { itemIndex: 1 } });
});

describe('a hint below the output', () => {
	const warning = { type: 'warning', location: 'outputPane' };

	it('counts the recordings that may still have been being copied', async () => {
		const files = { data: { ...callWav, bytes: createWav(1).subarray(0, 20_000) } };
		const { hints } = await node.runOnce(speechToTextParameters, { files });
		const message =
			'Recordings that end before the length in their header: 1 of 1. Check whether they were still being copied';
		expect(hints).toEqual([{ ...warning, message }]);
	});

	it.each([
		['Continue', ''],
		['Continue (using error output)', " of 'Error Branch'"],
	] as const)('counts the items that were not sent with On Error %s', async (onError, branch) => {
		const respond = () => 402;
		const { hints } = await node.runItems(3, { respond, concurrency: 1, onError });
		const messages = [
			`Items that failed: 3 of 3. The tab 'Table'${branch} has the message of each`,
			'Items that were not sent, or not sent again, because the key or the wallet of another item was refused: 2',
		];
		expect(hints).toEqual(messages.map((message) => ({ ...warning, message })));
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
});

const files = { data: createLargeWav() };

it.each(['reads on', 'never reads'])(
	'takes a refusal of the key before the end of the upload, and does not send the next item, if the service %s',
	async (how) => {
		node.service.intercept = (request, response) => {
			if (how === 'reads on') request.resume();
			response.writeHead(402, { 'Content-Type': 'application/json' });
			response.end('{"message":"Empty."}');
			return true;
		};
		const file = await node.engine.createItemWithFiles({}, files);
		const { items } = await node.run(
			{ ...speechToTextParameters, options: { concurrency: 1 } },
			{ items: [file, file], node: onErrorSettings.Continue },
		);
		expect(items.map((item) => (item.json.error as { message: string }).message)).toEqual([
			expect.stringMatching(/402.*Empty/),
			expect.stringContaining('not sent, because item 0'),
		]);
		expect(node.service.requestCount).toBe(1);
		await waitUntil(() => listOpenStoredFiles().length === 0);
	},
);

describe('if the audio breaks off during the upload, and the service has responded before,', () => {
	let breakSource = () => {};

	// A server that does not read notices late that its client is gone.
	afterEach(async () => await node.service.endRequests());

	const source = ScriptedServer.use((_request, response) => {
		response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 50e6 });
		response.write(Buffer.concat([createWav(), Buffer.alloc(300_000)]));
		breakSource = () => response.destroy();
	});

	/** Longer than what the node reads to recognize a format. */
	const page = `<html><body><h1>Sorry, not today</h1>${'<br>'.repeat(headBytes)}</body></html>`;

	it.each<[what: string, status: number, shown: RegExp]>([
		['a page', 413, /\(413\): Sorry, not today/],
		['a part of a page', 413, /\(413\): Sorry, not today/],
		['a page', 502, /\(502\): Sorry, not today/],
		['a page', 200, /The service returned HTML instead of JSON.*'Sorry, not today'/],
		['a part of a page', 200, /The service returned HTML instead of JSON.*'Sorry, not today'/],
	])('shows %s with status %i', async (what, status, shown) => {
		const isPart = what === 'a part of a page';
		node.service.intercept = (request, response) => {
			request.once('data', async () => {
				if (isPart) request.pause();
				// The run may end before the audio breaks off. Then the source of the next test must not break.
				const breakOwnSource = breakSource;
				const length = isPart ? page.length + 1000 : page.length;
				const headers = { 'Content-Type': 'text/html', 'Content-Length': length };
				response.writeHead(status, headers).write(page);
				if (isPart) await settleAll();
				breakOwnSource();
			});
			return true;
		};
		const audioUrl = `${source.baseUrl}/a.wav`;
		const output = await node.run(
			{ ...speechToTextParameters, audioSource: 'url', audioUrl },
			{ files: {} },
		);
		expect(output.items).toEqual([]);
		expect(node.service.requestCount).toBe(1);
		const text = readErrorText(output);
		expect(text).toMatch(shown);
		expect(text).not.toContain('could not be read');
		expect(text).not.toMatch(nothingDebited);
		// HTTP says of a 413 that the service refused the request.
		expect(maybeDebited.test(text)).toBe(status !== 413);
	});
});

describe('a file that n8n stores', () => {
	// n8n's own storage is on disk. This one does what a test wants.
	const own = useNode('database');

	function useStore(store: (location: unknown, file: AsyncIterable<Buffer>) => Promise<object>) {
		Container.get(BinaryDataService).setManager('database', { store } as never);
	}

	it.each([
		{ failure: 'the disk is full after 1 MB', limit: 1e6, code: 'ENOSPC' },
		{ failure: 'the database is gone after the last byte', limit: Infinity, code: 'ECONNRESET' },
	])('was paid, and the error says so, if $failure', async ({ limit, code }) => {
		own.service.respond = respondWithBytes(createMp3(20_000), 'audio/mpeg');
		const fault = Object.assign(new Error('write'), { code });
		useStore(async (_location, file) => {
			let length = 0;
			// What is thrown in the loop ends the stream, as in `fs.writeFile`.
			for await (const chunk of file) {
				length += chunk.length;
				if (length >= limit) throw fault;
			}
			throw fault;
		});
		const output = await own.run(textToSpeechParameters, {
			items: [{ json: {} }],
			// A later try would pay for it again.
			node: enableRetryOnFail(2),
		});
		expect(output.items).toEqual([]);
		expect(own.service.requestCount).toBe(1);
		const text = readErrorText(output);
		expectDebited(text);
		expect(text).toContain(code);
		// It is not a fault of the network.
		expect(text).not.toMatch(/connection broke|did not get through/i);
	});

	it('lets no call start meanwhile if its response cannot be used', async () => {
		const isStoring = createDeferred();
		const hasResponded = createDeferred();
		useStore(async (_location, file) => {
			isStoring.resolve();
			await hasResponded.promise;
			// A further call would start now.
			await sleep(200);
			return { fileId: '1', fileSize: (await buffer(file)).length };
		});
		const respondToSecond: Responder = async (...call) => {
			await isStoring.promise;
			call[1].on('finish', () => hasResponded.resolve());
			respondWithJson({})(...call);
		};
		const file = { data: createWav().toString('base64'), mimeType: 'audio/wav' };
		const items = createNumberedItems(3).map((item) => ({ ...item, binary: { data: file } }));
		const { error, calls } = await own.runItems(items, {
			parameters: { ...speechToTextParameters, language: '={{ $json.number }}' },
			respond: (item) =>
				item === 0 ? respondWithBytes(createWav(), 'audio/wav') : respondToSecond,
			concurrency: 2,
		});
		expect(error?.message).toBe('The service returned WAV instead of JSON');
		expect(calls).toHaveLength(2);
	});
});

describe('with Retry On Fail, the node', () => {
	/** Defines a field whose value n8n reads each time an expression uses it. */
	function define(item: INodeExecutionData | undefined, name: string, get: () => unknown): void {
		Object.defineProperty(item?.json, name, { enumerable: true, get });
	}

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
			credential: { consoleUrl: ' https://console.example.com ' },
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
});
