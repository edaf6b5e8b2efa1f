/* eslint-disable @n8n/community-nodes/no-restricted-imports -- tests run on a developer's machine, never in n8n */
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep, type INodeExecutionData } from 'n8n-workflow';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { speechToText, useNode } from '../support/node';
import { json, type Answer } from '../support/recorder';
import { wav } from '../support/recordings';
import { after, ask, numbered, pairs, Till, upTo } from './till';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const node = useNode();

describe.each([1, 5, 50])('concurrency %i', (concurrency) => {
	it.each([1, 2, 30])('%i items: never more at once, but that many, in order', async (count) => {
		const most = Math.min(concurrency, count);
		// Nobody is answered until as many are there as may be: a slow machine must not hide the others.
		const held: Array<() => void> = [];
		const answer: Answer = (...call) => {
			if (node.service.mostAtOnce >= most) after(30, json({}))(...call);
			else held.push(() => json({})(...call));
			if (node.service.mostAtOnce >= most) held.splice(0).forEach((release) => release());
		};
		const till = new Till(node.service, () => answer);
		const { items, error } = await node.run(
			{ ...ask, options: { concurrency } },
			{ items: numbered(count) },
		);
		expect(error).toBeUndefined();
		expect(node.service.mostAtOnce).toBe(Math.min(concurrency, count));
		expect([...till.calls].sort((a, b) => a - b)).toEqual(upTo(count));
		// Calls that start together may overtake each other on their way, but none a later one.
		till.calls.forEach((item, place) => {
			expect(Math.abs(item - place)).toBeLessThan(Math.min(concurrency, count));
		});
		expect(pairs(items)).toEqual(upTo(count));
	});
});

it('takes five at once where nothing else is said', async () => {
	new Till(node.service, () => after(30, json({})));
	await node.run(ask, { items: numbered(12) });
	expect(node.service.mostAtOnce).toBe(5);
});

it('takes the concurrency of the first item where an expression gives one to each', async () => {
	new Till(node.service, () => after(30, json({})));
	await node.run(
		{ ...ask, options: { concurrency: '={{ 3 + Number($json.number) * 10 }}' } },
		{ items: numbered(12) },
	);
	expect(node.service.mostAtOnce).toBe(3);
});

it.each([0, -1, 'many', ''])('falls back to five for a concurrency of %p', async (concurrency) => {
	new Till(node.service, () => after(30, json({})));
	const { items } = await node.run({ ...ask, options: { concurrency } }, { items: numbered(12) });
	expect(items).toHaveLength(12);
	expect(node.service.mostAtOnce).toBe(5);
});

it('starts the next call as soon as one ends, without waiting for the others', async () => {
	// Item 0 takes as long as all the others together.
	const till = new Till(node.service, (item) => after(item === 0 ? 1500 : 10, json({})));
	await node.run({ ...ask, options: { concurrency: 2 } }, { items: numbered(10) });
	expect(Math.max(...till.times) - Math.min(...till.times)).toBeLessThan(1400);
	expect(node.service.mostAtOnce).toBe(2);
});

it('sends the first item alone where the node is set to execute once', async () => {
	const till = new Till(node.service, () => 200);
	const { items } = await node.run(ask, { items: numbered(3), node: { executeOnce: true } });
	expect(till.paid).toEqual([0]);
	expect(pairs(items)).toEqual([0]);
});

it('keeps two executions at the same time apart', async () => {
	const till = new Till(node.service, () => after(40, json({})));
	const options = { concurrency: 3 };
	await Promise.all([
		node.run({ ...ask, options }, { items: numbered(9) }),
		node.run({ ...ask, options }, { items: numbered(9) }),
	]);
	expect(till.calls).toHaveLength(18);
	expect(node.service.mostAtOnce).toBe(6);
});

describe('where n8n loads a whole file at once (database mode)', () => {
	const megabyte = 2 ** 20;
	const loads: string[] = [];
	const loaded: Array<WeakRef<Buffer>> = [];
	let mostHeld = 0;
	let bytesOfFile = 0;

	async function held(): Promise<number> {
		await sleep(5);
		collectGarbage();
		return loaded.filter((ref) => ref.deref() !== undefined).length;
	}

	/** n8n's storage in the database: a file is one buffer, and its stream one chunk. */
	const database = {
		async getAsStream(id: string) {
			mostHeld = Math.max(mostHeld, (await held()) + 1);
			const file = Buffer.alloc(bytesOfFile, wav());
			loads.push(id);
			loaded.push(new WeakRef(file));
			return Readable.from(file);
		},
		getMetadata: async () => ({ fileSize: bytesOfFile, mimeType: 'audio/wav' }),
	};

	beforeAll(() => Container.get(BinaryDataService).setManager('database', database as never));
	beforeEach(() => {
		loads.length = loaded.length = 0;
		mostHeld = 0;
		bytesOfFile = 2 * megabyte;
	});

	const stored = (count: number): INodeExecutionData[] =>
		upTo(count).map((number) => ({
			json: {},
			binary: { data: { id: `database:${number}`, data: 'database', mimeType: 'audio/wav' } },
		}));

	it.each([1, 3])(
		'holds no more than %i files, the concurrency, each loaded once',
		async (concurrency) => {
			const { items } = await node.run(
				{ ...speechToText, options: { concurrency } },
				{ items: stored(9) },
			);
			expect(items).toHaveLength(9);
			expect(loads).toEqual(upTo(9).map(String));
			expect(mostHeld).toBeLessThanOrEqual(concurrency);
			expect(node.service.requests.map((request) => request.parts[0]?.body.length)).toEqual(
				new Array(9).fill(2 * megabyte),
			);
		},
	);

	it('loads a file once more only for a call that is sent again', async () => {
		node.service.answer = (...call) =>
			json({}, call[2] === 1 ? 429 : 200, { 'Retry-After': '0' })(...call);
		await node.run({ ...speechToText, options: { concurrency: 1 } }, { items: stored(3) });
		expect(loads).toEqual(['0', '1', '1', '2']);
	});

	it('sends it piece by piece, so that a slow upload is seen to move', async () => {
		bytesOfFile = 32 * megabyte;
		node.service.intercept = (request, response) => {
			// Nothing is read for longer than the answer may take once all is sent.
			void sleep(1500).then(() => request.resume().on('end', () => response.end('{}')));
			return true;
		};
		const { error } = await node.run(
			{ ...speechToText, options: { answerTimeoutSeconds: 1 } },
			{ items: stored(1) },
		);
		expect(error).toBeUndefined();
	});

	it('loads no file again for a try that begins after the execution was cancelled', async () => {
		node.service.answer = json({}, 500);
		let cancelRun = () => {};
		const running = node.engine.run({
			parameters: speechToText,
			items: stored(2),
			credential: node.credential(),
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 500 },
			onStart: (cancel) => (cancelRun = cancel),
		});
		while (node.service.requests.length < 2) await sleep(10);
		await sleep(100);
		cancelRun();
		await running;
		expect(loads).toEqual(['0', '1']);
	});

	it('lets go of a file once it is sent, before the answer comes', async () => {
		let heldMeanwhile = -1;
		node.service.answer = (...call) =>
			void held().then((count) => {
				heldMeanwhile = count;
				json({})(...call);
			});
		await node.run(speechToText, { items: stored(1) });
		expect(heldMeanwhile).toBe(0);
	});
});

describe('the credential', () => {
	it('is read once for each item, and sent as it was checked', async () => {
		let reads = 0;
		// n8n resolves the credential's expressions again at each read.
		const credential = {
			...node.credential(),
			get apiKey() {
				return `eak_test_${reads++}`;
			},
		};
		const till = new Till(node.service, () => 200);
		const items = numbered(20);
		const output = await node.engine.run({ parameters: ask, items, credential });
		expect(output.items).toHaveLength(20);
		// The first read is that of n8n's RoutingNode.
		expect(reads).toBe(1 + 20);
		expect(till.calls).toHaveLength(20);
		const keys = node.service.requests.map(({ headers }) => headers['x-api-key']);
		expect(keys).toEqual(till.calls.map((item) => `eak_test_${1 + item}`));
	});

	it('is read for five items at the same time at most', async () => {
		const times: number[] = [];
		await node.engine.run({
			parameters: { ...ask, options: { concurrency: 50 } },
			items: numbered(23),
			credential: node.credential(),
			credentialTakes: 60,
			onCredentialRead: () => times.push(Date.now()),
		});
		const [, ...ofItems] = times;
		expect(ofItems).toHaveLength(23);
		ofItems.slice(5).forEach((time, place) => {
			expect(time - (ofItems[place] ?? NaN)).toBeGreaterThanOrEqual(55);
		});
	});
});
