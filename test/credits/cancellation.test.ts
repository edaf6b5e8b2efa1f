/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep, type INodeParameters } from 'n8n-workflow';
import { getEventListeners } from 'node:events';

import {
	analyzeText,
	batching,
	continueModes,
	modes,
	noResponse,
	numberedItems,
	retryOnFail,
} from '../support/calls';
import { openFiles } from '../support/openFiles';
import { largeWav, speak, speechToText, useNode, type Scene } from '../support/node';
import { bytes, json, ScriptedServer, type Answer } from '../support/scriptedServer';
import { wav } from '../support/recordings';

const node = useNode();

type Store = (location: unknown, file: AsyncIterable<Buffer>) => Promise<never>;

const storage = () =>
	(Container.get(BinaryDataService) as unknown as { managers: Record<string, { store: Store }> })
		.managers as { filesystem: { store: Store } };

const storedFiles = () => openFiles().filter((file) => file.includes('voice-speech-test-'));

/**
 * Runs, and cancels the execution once `when` holds.
 *
 * @param delay from then on, in ms
 * @returns how long n8n then took to end the run, in ms
 */
async function cancel(parameters: INodeParameters, scene: Scene, when: () => boolean, delay = 50) {
	let cancelledAt = 0;
	let signal: AbortSignal | undefined;
	const { status } = await node.run(parameters, {
		...scene,
		onStart: (cancelRun, given) => {
			signal = given;
			void (async () => {
				while (!when()) await sleep(5);
				await sleep(delay);
				cancelledAt = Date.now();
				cancelRun();
			})();
		},
	});
	const took = Date.now() - cancelledAt;
	expect(status).toBe('canceled');
	for (let wait = 0; storedFiles().length > 0 && wait < 20; wait++) await sleep(50);
	expect(storedFiles()).toEqual([]);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
	return took;
}

/** The run ends within a second, all calls in progress end, and no other starts. */
async function expectEnd(...run: Parameters<typeof cancel>) {
	expect(await cancel(...run)).toBeLessThan(1000);
	const { arrived } = node.service;
	await sleep(100);
	// A server that reads slowly notices the end late.
	for (let wait = 0; node.service.inProgress > 0 && wait < 60; wait++) await sleep(50);
	expect(node.service.inProgress).toBe(0);
	expect(node.service.arrived).toBe(arrived);
}

const hasArrived = () => node.service.arrived > 0;

describe.each(['stop', 'continue'] as const)('mode %s: the run ends', (mode) => {
	const of = (count: number) => ({ items: numberedItems(count), node: modes[mode] });

	it(`ends a canceled run while calls wait for the limiter, and one for its response (mode ${mode})`, async () => {
		node.service.answer = noResponse;
		await expectEnd({ ...analyzeText, options: { concurrency: 1 } }, of(30), hasArrived);
		expect(node.service.arrived).toBe(1);
	});

	it(`ends a canceled run during an upload (mode ${mode})`, async () => {
		node.service.intercept = (request) => {
			void (async () => {
				for await (const chunk of request) await sleep(chunk ? 2 : 0);
			})().catch(() => {});
			return true;
		};
		await expectEnd(speechToText, { files: { data: largeWav() }, node: modes[mode] }, hasArrived);
	});

	it(`ends a canceled run while the response arrives (mode ${mode})`, async () => {
		node.service.answer = (_request, response) => {
			response.writeHead(200, { 'Content-Type': 'audio/wav' });
			response.write(wav(10));
		};
		await expectEnd(speak, of(1), hasArrived);
	});

	it(`ends a canceled run while n8n stores the response slowly (mode ${mode})`, async () => {
		const body = Buffer.concat([wav(10), Buffer.alloc(1e6)]);
		node.service.answer = bytes(body, 'audio/wav');
		const { filesystem } = storage();
		let isStoring = false;
		const store = jest.spyOn(filesystem, 'store').mockImplementation(async (_location, file) => {
			for await (const chunk of file) {
				isStoring = chunk.length > 0;
				await sleep(3000);
			}
			return await Promise.reject(new Error('This storage stores nothing.'));
		});
		await expectEnd(speak, of(1), () => isStoring);
		store.mockRestore();
	});

	it.each(['getMetadata', 'getAsStream'])(
		`ends a canceled run while n8n waits for %s of its storage (mode ${mode})`,
		async (name) => {
			let isWaiting = false;
			const never = async () => {
				isWaiting = true;
				return await new Promise<never>(() => {});
			};
			const getMetadata = async () => ({ fileSize: 100, mimeType: 'audio/wav' });
			Container.get(BinaryDataService).setManager('database', {
				...{ getMetadata, [name]: never },
			} as never);
			const data = { id: 'database:1', data: 'database', mimeType: 'audio/wav' };
			const items = [{ json: {}, binary: { data } }];
			await expectEnd(speechToText, { items, node: modes[mode] }, () => isWaiting);
			expect(node.service.arrived).toBe(0);
		},
	);

	it(`ends a canceled run while a call waits to be sent again (mode ${mode})`, async () => {
		node.service.answer = json({}, 429, { 'Retry-After': '30' });
		await expectEnd(analyzeText, of(3), hasArrived);
	});
});

it.each(continueModes)(
	'outputs each item of a canceled run with its debit (mode %s)',
	async (mode) => {
		node.service.answer = noResponse;
		const { items, errorItems } = await node.run(
			{ ...analyzeText, options: { concurrency: 1 } },
			{
				...{ items: numberedItems(2), node: modes[mode] },
				onStart: async (cancelRun) => {
					while (!hasArrived()) await sleep(5);
					cancelRun();
				},
			},
		);
		const failed = (item: number, description: unknown) => ({
			json: { error: { message: 'The execution was canceled', description } },
			pairedItem: { item },
		});
		expect([...items, ...errorItems]).toMatchObject([
			failed(0, expect.stringContaining('may have been debited')),
			failed(1, expect.stringContaining('This item was not sent')),
		]);
	},
);

it('starts no other try of a run that is canceled while n8n waits for it', async () => {
	node.service.answer = json({}, 500);
	const settings = { ...retryOnFail(2), waitBetweenTries: 300 };
	await expectEnd(analyzeText, { items: numberedItems(1), node: settings }, hasArrived);
	expect(node.service.arrived).toBe(1);
});

describe('while audio from a URL', () => {
	const source = ScriptedServer.use();

	it.each<{ what: string; answer: Answer; calls: number }>([
		{ what: 'is not there yet', answer: noResponse, calls: 0 },
		{
			what: 'arrives',
			answer: (_request, response) => {
				response.writeHead(200, { 'Content-Type': 'audio/wav' });
				response.write(wav(10));
			},
			calls: 1,
		},
	])('ends the connection to audio from a URL that $what', async ({ answer, calls }) => {
		source.reset(answer);
		const parameters = { ...speechToText, audioSource: 'url', audioUrl: `${source.baseUrl}/a` };
		const begun = () => source.arrived > 0 && node.service.arrived === calls;
		await expectEnd(parameters, { items: [{ json: {} }] }, begun);
		expect(source.inProgress).toBe(0);
		expect(node.service.arrived).toBe(calls);
	});
});

describe("with n8n's Batching", () => {
	it.each(['stop', ...continueModes] as const)(
		'sends no later batch of a canceled run (mode %s)',
		async (mode) => {
			node.service.answer = noResponse;
			const scene = { items: numberedItems(2), node: modes[mode] };
			// In ms; long, because a busy machine may be late with the cancellation.
			const interval = 1500;
			await cancel({ ...analyzeText, ...batching(1, interval) }, scene, hasArrived);
			await sleep(interval);
			expect(node.service.arrived).toBe(1);
		},
	);

	it('ends a canceled run while a later batch opens its audio', async () => {
		node.service.answer = noResponse;
		const scene = { items: await node.itemsWithFile({}, {}) };
		const interval = 200;
		const parameters = { ...speechToText, ...batching(1, interval) };
		expect(await cancel(parameters, scene, () => true, interval * 1.2)).toBeLessThan(6000);
	});
});

it('leaves no listener and no file behind, regardless of the number of items', async () => {
	const most: number[] = [];
	let signal: AbortSignal | undefined;
	node.service.answer = (...call) => {
		most.push(getEventListeners(signal as AbortSignal, 'abort').length);
		json({})(...call);
	};
	await node.run(
		{ ...speechToText, options: { concurrency: 20 } },
		{
			items: await node.itemsWithFile(...(new Array<object>(40).fill({}) as never[])),
			onStart: (_cancel, given) => (signal = given),
		},
	);
	expect(most).toHaveLength(40);
	expect(Math.max(...most)).toBeLessThanOrEqual(1);
	expect(getEventListeners(signal as AbortSignal, 'abort')).toHaveLength(0);
	expect(storedFiles()).toEqual([]);
});
