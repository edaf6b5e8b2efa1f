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
	createRange,
} from '../support/calls.mts';
import { createLargeWav, useNode, type RunSetup } from '../support/node.mts';
import {
	numberedTextParameters,
	speechToTextParameters,
	textToSpeechParameters,
} from '../support/nodeParameters.mts';
import { createWav } from '../support/media/recordings.mts';
import { listOpenStoredFiles } from '../support/openFiles.mts';
import {
	respondWithBytes,
	respondWithJson,
	ScriptedServer,
	type Responder,
} from '../support/servers/scriptedServer.mts';
import { waitForever, settleAll } from '../support/waiting.mts';

const node = useNode();

const hasArrived = () => node.service.requestCount > 0;

/**
 * Runs, cancels the execution once a condition is true, and expects that the run ends with its calls, that no other call
 * starts, and that nothing stays open. n8n-core waits for the node to return after a cancellation, so the test of a node
 * that hangs exceeds its time limit. Nothing else ends these runs, because the service, its audio, or n8n's storage does
 * not respond.
 */
async function expectEnd(
	parameters: INodeParameters,
	setup: RunSetup,
	isTime = hasArrived,
	own = node,
) {
	let signal: AbortSignal | undefined;
	const { status } = await own.run(parameters, {
		...setup,
		async onStart(cancelRun, given) {
			signal = given;
			await waitUntil(isTime);
			await settleAll();
			cancelRun();
		},
	});
	expect(status).toBe('canceled');
	await waitUntil(() => listOpenStoredFiles().length === 0);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
	const { requestCount } = own.service;
	await waitUntil(() => own.service.inProgress === 0);
	await settleAll();
	expect(own.service.requestCount).toBe(requestCount);
}

/** Sends headers, and the beginning of a body that does not go on. */
const respondInPart =
	(status: number, type: string, start: Buffer | string): Responder =>
	(_request, response) => {
		response.writeHead(status, { 'Content-Type': type });
		response.write(start);
	};

describe('a canceled run', () => {
	const oneByOne = { ...numberedTextParameters, options: { concurrency: 1 } };

	it.each<[when: string, respond: Responder, parameters: INodeParameters, settings?: object]>([
		['while calls wait for the limiter, and one for its response', neverRespond, oneByOne],
		[
			'while the response arrives',
			respondInPart(200, 'audio/wav', createWav(10)),
			{ ...textToSpeechParameters, options: { concurrency: 1 } },
		],
		[
			'while the text of a refusal arrives',
			respondInPart(422, 'application/json', '{"message":'),
			oneByOne,
			onErrorSettings.Continue,
		],
		[
			'while a call waits to be sent again',
			respondWithJson({}, 429, { 'Retry-After': '30' }),
			oneByOne,
		],
		[
			'before its next batch',
			neverRespond,
			{ ...numberedTextParameters, ...enableBatching(1, 600_000) },
		],
	])('ends %s', async (_, respond, parameters, settings = {}) => {
		node.service.respond = respond;
		await expectEnd(parameters, { items: createNumberedItems(3), node: settings });
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
		await expectEnd(speechToTextParameters, { files: { data: file } });
		expect(received).toBeGreaterThan(0);
		expect(received).toBeLessThan(file.bytes.length);
	});

	const source = ScriptedServer.use();

	it.each<[what: string, respond: Responder, calls: number]>([
		['is not there yet', neverRespond, 0],
		['arrives', respondInPart(200, 'audio/wav', createWav(10)), 1],
	])('ends the connection to audio from a URL that %s', async (_, respond, calls) => {
		source.respond = respond;
		const audioUrl = `${source.baseUrl}/a`;
		const parameters = { ...speechToTextParameters, audioSource: 'url', audioUrl };
		const hasBegun = () => source.requestCount > 0 && node.service.requestCount === calls;
		await expectEnd(parameters, { items: [{ json: {} }] }, hasBegun);
		await waitUntil(() => source.inProgress === 0);
		expect(node.service.requestCount).toBe(calls);
	});
});

describe('with a storage of files that does not respond', () => {
	const own = useNode('database');

	it.each<[functionName: string, parameters: INodeParameters, calls: number]>([
		['store', textToSpeechParameters, 1],
		['getMetadata', speechToTextParameters, 0],
		['getAsStream', speechToTextParameters, 0],
	])('a canceled run ends while n8n waits for %s', async (functionName, parameters, calls) => {
		let isWaiting = false;
		const storage = {
			getMetadata: async () => ({ fileSize: 100, mimeType: 'audio/wav' }),
			async [functionName]() {
				isWaiting = true;
				return await waitForever();
			},
		};
		Container.get(BinaryDataService).setManager('database', storage as never);
		const speech = Buffer.concat([createWav(10), Buffer.alloc(1e6)]);
		own.service.respond = respondWithBytes(speech, 'audio/wav');
		const data = { id: 'database:1', data: 'database', mimeType: 'audio/wav' };
		const setup = { items: [{ json: {}, binary: { data } }], node: onErrorSettings.Continue };
		await expectEnd(parameters, setup, () => isWaiting, own);
		expect(own.service.requestCount).toBe(calls);
	});
});

it('outputs each item of a canceled run with its debit if On Error is Continue', async () => {
	const { all, hints } = await node.runItems(2, {
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
	expect(hints).toEqual([]);
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
			items: await node.createItemsWithFile(...createRange(40).map((id) => ({ id }))),
			onStart: (_cancel, given) => {
				signal = given;
			},
		},
	);
	expect(most).toHaveLength(40);
	expect(Math.max(...most)).toBeLessThanOrEqual(1);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
	expect(listOpenStoredFiles()).toEqual([]);
});
