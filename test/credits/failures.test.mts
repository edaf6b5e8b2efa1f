import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep } from 'n8n-workflow';
import { buffer } from 'node:stream/consumers';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import {
	CallLog,
	createNumberedItems,
	neverRespond,
	onErrorSettings,
	sortNumbers,
	type ItemResponder,
	type OnErrorChoice,
	enableRetryOnFail,
} from '../support/calls.mts';
import type { RunOutput } from '../support/engine.mts';
import { createWav, createMp3 } from '../support/media/recordings.mts';
import { callWav, useNode, type RunSetup, createLargeWav } from '../support/node.mts';
import {
	speechToTextParameters,
	textToSpeechParameters,
	undocumentedTextParameters,
} from '../support/nodeParameters.mts';
import { canListOpenFiles, listOpenStoredFiles } from '../support/openFiles.mts';
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
		{ count = 4, onStart = (() => {}) as RunSetup['onStart'] } = {},
	) {
		source.respond = (...call) => {
			const isFirst = call[0].url.endsWith('/0');
			return (isFirst ? respondWithBytes(audio, 'audio/wav') : respondToOthers)(...call);
		};
		const { calls, paid } = CallLog.attach(node.service, respond, ({ parts }) =>
			Number(parts.find(({ name }) => name === 'language')?.body),
		);
		const audioUrl = `=${source.baseUrl}/{{ $json.number }}`;
		const language = '={{ $json.number }}';
		const output = await node.run(
			{ ...speechToTextParameters, audioSource: 'url', audioUrl, language },
			{ items: createNumberedItems(count), node: onErrorSettings[onError], onStart },
		);
		return { ...output, calls, paid };
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
			{
				onStart: async (cancelRun) => {
					await waitUntil(() => source.requestCount === 4 && source.inProgress === 0);
					await settleAll();
					cancelRun();
				},
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
			const { calls, paid } = await runWithAudioUrls(
				async (_request, response) => {
					response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': audio.length });
					response.write(audio.subarray(0, 20_000));
					await isRefused.promise;
					await settleAll();
					response.end(audio.subarray(20_000));
				},
				(item) =>
					async (...call) => {
						call[1].on('finish', () => isRefused.resolve());
						// The refusal comes once the other upload has begun.
						await waitUntil(() => node.service.requestCount === 2);
						respondWithJson({}, item === 0 ? 401 : 200)(...call);
					},
				onError,
				{ count: 2 },
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

describe('hints below the output', () => {
	const readHints = ({ run }: RunOutput) =>
		run.data.resultData.runData['Voice and Speech']?.[0]?.hints;

	it('count the recordings that may still have been being copied', async () => {
		const files = { data: { ...callWav, bytes: createWav(1).subarray(0, 20_000) } };
		const output = await node.run(speechToTextParameters, {
			files,
			node: onErrorSettings.Continue,
		});
		expect(node.service.requestCount).toBe(1);
		const message =
			'Recordings that end before the length in their header: 1 of 1. Check whether they were still being copied';
		expect(readHints(output)).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
	});

	it.each([
		['Continue', ''],
		['Continue (using error output)', " of 'Error Branch'"],
	] as const)('count the items that were not sent with On Error %s', async (onError, branch) => {
		const respond = () => 402;
		const output = await node.runItems(3, { respond, concurrency: 1, onError });
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
		['live', 500, 'Calls that the live wallet paid for: 2. Calls that it may have paid for: 1'],
		['sandbox', 200, undefined],
	])('count the calls with a %s key if one responds %s', async (environment, status, paid) => {
		const apiKey = environment === 'live' ? 'eak_live_wire' : 'eak_test_wire';
		const output = await node.runItems(3, {
			respond: (item) => (item === 2 ? status : 200),
			concurrency: 1,
			onError: 'Continue',
			credential: { apiKey, environment },
		});
		const messages = readHints(output)?.map(({ message }) => message) ?? [];
		expect(messages.find((message) => message.includes('wallet paid'))).toBe(paid);
	});

	it('are not shown for items that were not sent because the execution was canceled', async () => {
		const output = await node.runItems(3, {
			respond: () => neverRespond,
			concurrency: 1,
			onError: 'Continue',
			async onStart(cancelRun) {
				await waitUntil(() => node.service.requestCount === 1);
				cancelRun();
			},
		});
		expect(output.status).toBe('canceled');
		expect(readHints(output)).toEqual([]);
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
		if (canListOpenFiles) await waitUntil(() => listOpenStoredFiles().length === 0);
	},
);

/** The start of audio whose server declares a longer body. */
const part = Buffer.concat([createWav(), Buffer.alloc(300_000)]);

let breakSource = () => {};

const breakingSource = ScriptedServer.use((_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': 50e6 });
	response.write(part);
	breakSource = () => response.destroy();
});

const page = '<html><head><title>Proxy</title></head><body><h1>Sorry, not today</h1></body></html>';

interface Way {
	/** How much of the page arrives. */
	page: 'all' | 'a part';
	/** What the service does with the rest of the upload. */
	upload: 'reads' | 'does not read';
	/** When the audio breaks off. */
	breaksOff: 'at once' | 'later';
}

/** The service responds while the audio is uploaded; then the audio breaks off. */
async function runWithEarlyResponse(status: number, way: Way) {
	node.service.intercept = (request, response) => {
		request.once('data', async () => {
			if (way.upload === 'does not read') request.pause();
			const length = way.page === 'all' ? page.length : page.length + 1000;
			// The run may end before the audio breaks off. Then the breakingSource of the next test must not break.
			const breakOwnSource = breakSource;
			const headers = { 'Content-Type': 'text/html', 'Content-Length': length };
			response.writeHead(status, headers).write(page);
			if (way.breaksOff === 'later') await settleAll();
			breakOwnSource();
		});
		return true;
	};
	const parameters = {
		...speechToTextParameters,
		audioSource: 'url',
		audioUrl: `${breakingSource.baseUrl}/a.wav`,
	};
	const output = await node.run(parameters, { files: {} });
	expect(output.items).toEqual([]);
	expect(node.service.requestCount).toBe(1);
	return readErrorText(output);
}

const usualWay: Way = { page: 'all', upload: 'reads', breaksOff: 'at once' };

const ways: Way[] = [
	usualWay,
	{ page: 'all', upload: 'does not read', breaksOff: 'later' },
	{ page: 'a part', upload: 'reads', breaksOff: 'later' },
	{ page: 'a part', upload: 'does not read', breaksOff: 'at once' },
];

it.each([
	// HTTP says of a 413 that the service refused the request.
	...ways.map((way) => ({ status: 413, shown: /\(413\): Sorry, not today/, way })),
	{ status: 502, shown: /\(502\): Sorry, not today/, way: usualWay },
	{
		status: 200,
		shown: /The service returned HTML instead of JSON.*'Sorry, not today'/,
		way: usualWay,
	},
])(
	'shows $way.page of a page with status $status if the audio breaks off $way.breaksOff and the service $way.upload the rest of the upload',
	async ({ status, shown, way }) => {
		const text = await runWithEarlyResponse(status, way);
		expect(text).toMatch(shown);
		expect(text).not.toContain('could not be read');
		expect(text).not.toMatch(nothingDebited);
		expect(maybeDebited.test(text)).toBe(status !== 413);
	},
);

/** What n8n's storage does with a file. */
type Store = (
	location: unknown,
	file: AsyncIterable<Buffer>,
) => Promise<{ fileId: string; fileSize: number }>;

function useStore(store: Store): void {
	Container.get(BinaryDataService).setManager('database', { store } as never);
}

function createDiskFullError(): Error {
	const facts = { code: 'ENOSPC', errno: -28, syscall: 'write' };
	return Object.assign(new Error('ENOSPC: no space left on device, write'), facts);
}

/** Reads a file up to a number of bytes and then throws, which ends the stream as in `fs.writeFile`. */
function throwAfter(limit: number, error: () => Error): Store {
	return async (_location, file) => {
		let length = 0;
		for await (const chunk of file) {
			length += chunk.length;
			if (length >= limit) throw error();
		}
		throw error();
	};
}

const createDatabaseError = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });

const long = createMp3(20_000);

/** Responds in chunks, and so without a Content-Length. */
const respondInChunks: Responder = (_request, response) => {
	response.writeHead(200, { 'Content-Type': 'audio/mpeg' });
	for (let at = 0; at < long.length; at += 50_000) response.write(long.subarray(at, at + 50_000));
	response.end();
};

function expectPaid(text: string | undefined, reason: string): void {
	expectDebited(text);
	expect(text).toContain(reason);
	// It is not a fault of the network.
	expect(text).not.toMatch(/connection broke|did not get through/i);
}

describe('audio that cannot be stored', () => {
	// n8n's own storage is on disk. This one fails where a test wants it.
	const own = useNode('database');

	it.each<{ failure: string; respond: Responder; store: Store; reason: string }>([
		{
			failure: 'the disk is full before the first byte',
			respond: respondWithBytes(createMp3(10), 'audio/mpeg'),
			store: async () => await Promise.reject(createDiskFullError()),
			reason: 'ENOSPC',
		},
		{
			failure: 'the disk is full after 1 MB',
			respond: respondInChunks,
			store: throwAfter(1e6, createDiskFullError),
			reason: 'ENOSPC',
		},
		{
			failure: 'the database is gone',
			respond: respondWithBytes(createMp3(10), 'audio/mpeg'),
			store: throwAfter(Infinity, createDatabaseError),
			reason: 'ECONNRESET',
		},
	])('was paid, and the error says so: $failure', async ({ respond, store, reason }) => {
		own.service.respond = respond;
		useStore(store);
		for (const parameters of [textToSpeechParameters, undocumentedTextParameters]) {
			own.service.requestCount = 0;
			const output = await own.run(parameters, {
				items: [{ json: {} }],
				// A later try would pay for it again.
				node: enableRetryOnFail(2),
			});
			expect(output.items).toEqual([]);
			expectPaid(readErrorText(output), reason);
			expect(own.service.requestCount).toBe(1);
		}
	});

	it('starts no call while n8n stores a response that cannot be used', async () => {
		const storing = createDeferred();
		const secondResponse = createDeferred();
		own.service.respond = async (request, ...call) => {
			const isFirst = request.parts.some(({ body }) => body.toString() === 'item 0');
			if (isFirst) return respondWithBytes(createWav(), 'audio/wav')(request, ...call);
			await storing.promise;
			call[0].on('finish', () => secondResponse.resolve());
			return respondWithJson({})(request, ...call);
		};
		useStore(async (_location, file) => {
			storing.resolve();
			await secondResponse.promise;
			// A further call would start now.
			await sleep(200);
			return { fileId: '1', fileSize: (await buffer(file)).length };
		});
		const file = { data: createWav().toString('base64'), mimeType: 'audio/wav' };
		const items = createNumberedItems(3).map((item) => ({ ...item, binary: { data: file } }));
		const { error } = await own.run(
			{
				...speechToTextParameters,
				language: '=item {{ $json.number }}',
				options: { concurrency: 2 },
			},
			{ items },
		);
		expect(error?.message).toBe('The service returned WAV instead of JSON');
		expect(own.service.requestCount).toBe(2);
	});

	it('outputs the items that could be stored if On Error is Continue', async () => {
		own.service.respond = respondWithBytes(long, 'audio/mpeg');
		let files = 0;
		useStore(async (_location, file) => {
			files++;
			if (files === 2) throw createDiskFullError();
			return { fileId: String(files), fileSize: (await buffer(file)).length };
		});
		const output = await own.run(
			{ ...textToSpeechParameters, options: { concurrency: 1 } },
			{ items: [{ json: {} }, { json: {} }, { json: {} }], node: onErrorSettings.Continue },
		);
		const errors = listErrors(output);
		expect(errors).toEqual([undefined, expect.any(String), undefined]);
		expectPaid(errors[1], 'ENOSPC');
		expect(own.service.requestCount).toBe(3);
		const isStored = output.items.map(({ binary }) => binary?.data !== undefined);
		expect(isStored).toEqual([true, false, true]);
	});
});
