import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { sleep, type INodeExecutionData } from 'n8n-workflow';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { onErrorSettings, createRange, type OnErrorChoice } from '../support/calls';
import { speechToTextParameters, useNode } from '../support/node';
import { createWav } from '../support/media/recordings';
import { respondInTurn, respondWithJson } from '../support/servers/scriptedServer';

// With files in the database, n8n loads each into memory as a whole, and its stream is one chunk.

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const node = useNode();

/** In bytes. */
const fileSize = 2 * 2 ** 20;
const loads: string[] = [];
const loaded: Array<WeakRef<Buffer>> = [];
let mostHeld = 0;
let mayHold = 1;

/** How many files are in memory. On a busy machine, a connection releases its file a moment after its response. */
async function countHeld(): Promise<number> {
	for (let waits = 0; ; waits++) {
		await sleep(5);
		collectGarbage();
		const count = loaded.filter((ref) => ref.deref() !== undefined).length;
		if (count < mayHold || waits === 200) return count;
	}
}

const database = {
	async getAsStream(id: string) {
		mostHeld = Math.max(mostHeld, (await countHeld()) + 1);
		const file = Buffer.alloc(fileSize, createWav());
		loads.push(id);
		loaded.push(new WeakRef(file));
		return Readable.from(file);
	},
	getMetadata: async () => ({ fileSize, mimeType: 'audio/wav' }),
};

beforeAll(() => Container.get(BinaryDataService).setManager('database', database as never));
beforeEach(() => {
	loads.length = 0;
	loaded.length = 0;
	mostHeld = 0;
	mayHold = 1;
});

const createStoredItems = (count: number): INodeExecutionData[] =>
	createRange(count).map((number) => ({
		json: {},
		binary: { data: { id: `database:${number}`, data: 'database', mimeType: 'audio/wav' } },
	}));

/** Runs, and expects each request to have its complete file. */
async function run(count: number, options: object = {}, onError: OnErrorChoice = 'Continue') {
	const setup = { items: createStoredItems(count), node: onErrorSettings[onError] };
	const output = await node.run({ ...speechToTextParameters, options } as never, setup);
	for (const { parts } of node.service.requests) expect(parts[0]?.body).toHaveLength(fileSize);
	return output;
}

it.each([1, 3])(
	'holds at most %i files with this concurrency, and loads each once',
	async (limit) => {
		mayHold = limit;
		const count = limit + 2;
		const { items } = await run(count, { concurrency: limit });
		expect(items).toHaveLength(count);
		expect(loads).toEqual(createRange(count).map(String));
		expect(mostHeld).toBeLessThanOrEqual(limit);
	},
);

it('loads all files first for their check, one at a time, if On Error is Stop Workflow', async () => {
	const { items } = await run(2, { concurrency: 1 }, 'Stop Workflow');
	expect(items).toHaveLength(2);
	expect(loads).toEqual(['0', '1', '0', '1']);
	expect(mostHeld).toBe(1);
});

it('loads a file again only for a call that is sent again', async () => {
	const refuse = respondWithJson({}, 429, { 'Retry-After': '0' });
	const accept = respondWithJson({});
	node.service.respond = respondInTurn(accept, refuse, accept);
	await run(2, { concurrency: 1 });
	expect(loads).toEqual(['0', '1', '1']);
});

it('releases a file once it is sent, before the response', async () => {
	let heldMeanwhile = -1;
	node.service.respond = (...call) =>
		void countHeld().then((count) => {
			heldMeanwhile = count;
			respondWithJson({})(...call);
		});
	await run(1);
	expect(heldMeanwhile).toBe(0);
});
