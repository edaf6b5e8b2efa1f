import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { waitUntil } from '../../dev/lib/waitUntil.mts';
import { onErrorSettings, createRange, type OnErrorChoice } from '../support/calls.mts';
import { useNode } from '../support/node.mts';
import { speechToTextParameters } from '../support/nodeParameters.mts';
import { createWav } from '../support/media/recordings.mts';
import { respondWithJson } from '../support/servers/scriptedServer.mts';
import { createDeferred, settleAll } from '../support/waiting.mts';

// With files in the database, n8n loads each into memory as a whole, and its stream is one chunk.

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const node = useNode();

/** In bytes. */
const fileSize = 2 * 2 ** 20;
const loads: string[] = [];
const loaded: Array<WeakRef<Buffer>> = [];
let mayHold = 1;
/** How many files the node has asked for, counted before the storage waits, which would hide the last ones. */
let opened = 0;

function countHeld(): number {
	collectGarbage();
	return loaded.filter((ref) => ref.deref() !== undefined).length;
}

/** Loads a file, unless as many as allowed are in memory. */
function load(id: string): Buffer | undefined {
	if (countHeld() >= mayHold) return undefined;
	const file = Buffer.alloc(fileSize, createWav());
	loads.push(id);
	loaded.push(new WeakRef(file));
	return file;
}

const database = {
	async getAsStream(id: string) {
		opened++;
		// On a busy machine, a connection releases its file a moment after its response. Each poll collects
		// garbage, so it polls seldom.
		return Readable.from(await waitUntil(() => load(id), { intervalMs: 50 }));
	},
	getMetadata: async () => ({ fileSize, mimeType: 'audio/wav' }),
};

beforeAll(() => Container.get(BinaryDataService).setManager('database', database as never));
beforeEach(() => {
	loads.length = 0;
	loaded.length = 0;
	opened = 0;
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
	expect(output.items.filter(({ json }) => 'error' in json)).toEqual([]);
	for (const { parts } of node.service.requests) expect(parts[0]?.body).toHaveLength(fileSize);
	return output;
}

/** Lets the service respond only after the returned function is called. */
function withholdResponses(): () => void {
	const { promise, resolve } = createDeferred();
	node.service.respond = async (...call) => {
		await promise;
		respondWithJson({})(...call);
	};
	return resolve;
}

it('holds at most as many files as Concurrency says, and loads each once', async () => {
	const limit = 2;
	mayHold = limit;
	const count = limit + 2;
	const sendResponses = withholdResponses();
	const running = run(count, { concurrency: limit });
	await waitUntil(() => node.service.requests.length >= limit);
	await settleAll();
	const openedBeforeResponses = opened;
	sendResponses();
	const { items } = await running;
	expect(openedBeforeResponses).toBe(limit);
	expect(items).toHaveLength(count);
	expect(loads).toEqual(createRange(count).map(String));
});

it.each([
	{ what: 'all files first for their check, one at a time,', loaded: ['0', '1', '0', '1'] },
	{ what: 'a single file once, whose check could save no other call,', loaded: ['0'] },
])('loads $what if On Error is Stop Workflow', async ({ loaded: expected }) => {
	const count = new Set(expected).size;
	const { items } = await run(count, { concurrency: 1 }, 'Stop Workflow');
	expect(items).toHaveLength(count);
	expect(loads).toEqual(expected);
});

it('releases a file once it is sent, before the response', async () => {
	const sendResponse = withholdResponses();
	const running = run(1);
	await waitUntil(() => node.service.requests.length === 1 && countHeld() === 0);
	sendResponse();
	const { items } = await running;
	expect(items).toHaveLength(1);
});
