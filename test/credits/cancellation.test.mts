import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import {
	enableBatching,
	onErrorSettings,
	neverRespond,
	createNumberedItems,
} from '../support/calls.mts';
import { Engine } from '../support/engine.mts';
import { canListOpenFiles, listOpenStoredFiles } from '../support/openFiles.mts';
import { createLargeWav, useNode, type RunSetup } from '../support/node.mts';
import {
	numberedTextParameters,
	speechToTextParameters,
	textToSpeechParameters,
} from '../support/nodeParameters.mts';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { createWav } from '../support/media/recordings.mts';
import { waitForever, settleAll } from '../support/waiting.mts';

const node = useNode();

/** Runs, cancels the execution once a condition is true, and expects that nothing of it stays open. */
async function runAndCancel(parameters: INodeParameters, setup: RunSetup, isTime: () => boolean) {
	let signal: AbortSignal | undefined;
	const { status } = await node.run(parameters, {
		...setup,
		async onStart(cancelRun, given) {
			signal = given;
			await waitUntil(isTime);
			await settleAll();
			cancelRun();
		},
	});
	expect(status).toBe('canceled');
	if (canListOpenFiles) await waitUntil(() => listOpenStoredFiles().length === 0);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
}

/**
 * Expects that a canceled run ends, that all calls in progress end, and that no other starts. n8n-core waits for the node
 * to return after a cancellation, so the test of a node that hangs exceeds its time limit. Nothing else ends these runs,
 * because the service, its audio, or n8n's storage does not respond.
 */
async function expectEnd(...run: Parameters<typeof runAndCancel>) {
	await runAndCancel(...run);
	const { requestCount } = node.service;
	await waitUntil(() => node.service.inProgress === 0);
	await settleAll();
	expect(node.service.requestCount).toBe(requestCount);
}

const hasArrived = () => node.service.requestCount > 0;

/** Sends headers, and the beginning of a body that does not go on. */
const respondInPart =
	(status: number, type: string, start: Buffer | string): Responder =>
	(_request, response) => {
		response.writeHead(status, { 'Content-Type': type });
		response.write(start);
	};

describe('a canceled run', () => {
	it.each<{ when: string; respond: Responder; parameters: INodeParameters }>([
		{
			when: 'while calls wait for the limiter, and one for its response',
			respond: neverRespond,
			parameters: { ...numberedTextParameters, options: { concurrency: 1 } },
		},
		{
			when: 'while the response arrives',
			respond: respondInPart(200, 'audio/wav', createWav(10)),
			parameters: { ...textToSpeechParameters, options: { concurrency: 1 } },
		},
		{
			when: 'while a call waits to be sent again',
			respond: respondWithJson({}, 429, { 'Retry-After': '30' }),
			parameters: { ...numberedTextParameters, options: { concurrency: 1 } },
		},
		{
			when: 'before its next batch',
			respond: neverRespond,
			parameters: { ...numberedTextParameters, ...enableBatching(1, 600_000) },
		},
	])('ends $when', async ({ respond, parameters }) => {
		node.service.respond = respond;
		await expectEnd(parameters, { items: createNumberedItems(3) }, hasArrived);
		expect(node.service.requestCount).toBe(1);
	});

	it('ends during an upload', async () => {
		const file = createLargeWav();
		let received = 0;
		node.service.intercept = (request) => {
			// The service reads slowly, so that the run is canceled during the upload.
			request.on('data', (chunk: Buffer) => {
				received += chunk.length;
				request.pause();
				setImmediate(() => request.resume());
			});
			return true;
		};
		await expectEnd(speechToTextParameters, { files: { data: file } }, hasArrived);
		expect(received).toBeGreaterThan(0);
		expect(received).toBeLessThan(file.bytes.length);
	});
});

it('ends a canceled run of a node that continues on failure while the text of a refusal arrives', async () => {
	node.service.respond = respondInPart(422, 'application/json', '{"message":');
	const setup = { items: createNumberedItems(3), node: onErrorSettings.Continue };
	await expectEnd(numberedTextParameters, setup, hasArrived);
});

describe('with a storage of files that does not respond', () => {
	/** A storage in which a function never settles, and whether n8n has called it. */
	function addStorage(functionName: 'store' | 'getMetadata' | 'getAsStream') {
		const calls = { count: 0 };
		const storage = {
			getMetadata: async () => ({ fileSize: 100, mimeType: 'audio/wav' }),
			async [functionName]() {
				calls.count++;
				return await waitForever();
			},
		};
		Container.get(BinaryDataService).setManager('database', storage as never);
		return calls;
	}

	let before: Engine;

	beforeAll(async () => {
		before = node.engine;
		node.engine = await Engine.start('database');
	});
	afterAll(() => {
		node.engine.restoreStorage();
		node.engine = before;
	});

	it('ends a canceled run while n8n stores a response and does not finish', async () => {
		const body = Buffer.concat([createWav(10), Buffer.alloc(1e6)]);
		node.service.respond = respondWithBytes(body, 'audio/wav');
		const calls = addStorage('store');
		const setup = { items: [{ json: {} }] };
		await expectEnd(textToSpeechParameters, setup, () => calls.count > 0);
	});

	it.each(['getMetadata', 'getAsStream'] as const)(
		'ends a canceled run while n8n waits for %s of its storage',
		async (functionName) => {
			const calls = addStorage(functionName);
			const data = { id: 'database:1', data: 'database', mimeType: 'audio/wav' };
			const setup = { items: [{ json: {}, binary: { data } }], node: onErrorSettings.Continue };
			await expectEnd(speechToTextParameters, setup, () => calls.count > 0);
			expect(node.service.requestCount).toBe(0);
		},
	);
});

it('outputs each item of a canceled run with its debit if On Error is Continue', async () => {
	const { all } = await node.runItems(2, {
		respond: () => neverRespond,
		concurrency: 1,
		onError: 'Continue',
		onStart: async (cancelRun) => {
			await waitUntil(hasArrived);
			cancelRun();
		},
	});
	const message = 'The execution was canceled';
	expect(all.map(({ json }) => json.error)).toMatchObject([
		{ message, description: expect.stringContaining('may have been debited') as string },
		{ message, description: expect.stringContaining('This item was not sent') as string },
	]);
});

it('keeps the results of an earlier try if the run is canceled in a later one', async () => {
	const { all, calls } = await node.runItems(2, {
		respond: (item, earlier) => {
			if (item === 1) return 200;
			return earlier === 0 ? 500 : neverRespond;
		},
		onError: 'Continue',
		concurrency: 1,
		maxTries: 2,
		async onStart(cancelRun) {
			await waitUntil(() => node.service.requestCount === 3);
			cancelRun();
		},
	});
	expect(calls).toEqual([0, 1, 0]);
	expect(all.map(({ json }) => json.item)).toEqual([undefined, 1]);
});

describe('a run that is canceled', () => {
	const source = ScriptedServer.use();

	it.each<[what: string, respond: Responder, calls: number]>([
		['is not there yet', neverRespond, 0],
		['arrives', respondInPart(200, 'audio/wav', createWav(10)), 1],
	])('ends the connection to audio from a URL that %s', async (_, respond, calls) => {
		source.reset(respond);
		const audioUrl = `${source.baseUrl}/a`;
		const parameters = { ...speechToTextParameters, audioSource: 'url', audioUrl };
		const hasBegun = () => source.requestCount > 0 && node.service.requestCount === calls;
		await expectEnd(parameters, { items: [{ json: {} }] }, hasBegun);
		await waitUntil(() => source.inProgress === 0);
		expect(node.service.requestCount).toBe(calls);
	});
});

it('leaves no listener and no file behind, regardless of the number of items', async () => {
	const most: number[] = [];
	let signal: AbortSignal | undefined;
	node.service.respond = (...call) => {
		most.push(getEventListeners(signal as AbortSignal, 'abort').length);
		respondWithJson({})(...call);
	};
	await node.run(
		{ ...speechToTextParameters, options: { concurrency: 20 } },
		{
			items: await node.createItemsWithFile(...(new Array<object>(40).fill({}) as never[])),
			onStart: (_cancel, given) => {
				signal = given;
			},
		},
	);
	expect(most).toHaveLength(40);
	expect(Math.max(...most)).toBeLessThanOrEqual(1);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
	if (canListOpenFiles) expect(listOpenStoredFiles()).toEqual([]);
});
